/**
 * Streams over one WebSocket, for hosts where answers of `fetch` are held back until they end, and for
 * methods that stream their requests, which `fetch` cannot send.
 */

import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, type StreamResponse, type Transport } from "@connectrpc/connect";
import { Refusal } from "./refusal.js";
import { Deadline, refusalFrom, type WireError } from "./wire.js";

/** What a client needs of `WebSocket`, which every runtime's has, and that of the package `ws`. */
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

/** A WebSocket as browsers define it. */
export interface WebSocketLike {
  /** How bytes are received. */
  binaryType: string;
  /** Sends a frame. */
  send(frame: Uint8Array<ArrayBuffer>): void;
  /** Closes it. */
  close(): void;
  /** Listens to its events, which differ in type from runtime to runtime. */
  addEventListener(type: "open" | "message" | "close" | "error", listen: (event: any) => void): void;
}

/** How long a socket may take to open: then a proxy swallows the handshake. */
const OPENING_MAX_MS = 5_000;
/** How long the service may be silent after a call: then the connection is dead. */
const ANSWER_MAX_MS = 10_000;
/** The calls that the service takes on one socket. */
const CALLS_MAX = 32;
/** The messages that may be sent before the service has granted more. */
const SENT_AHEAD_MAX = 8;
/** The messages that are received before they are read. */
const WINDOW = 16;
const LINE_FEED = 10;

/** The head of a frame. */
interface Head {
  id: string;
  open?: boolean;
  more?: number;
  end?: boolean;
  error?: WireError;
}

/** No socket can be opened: a proxy refuses it, or the service is away. */
export class NoSocket extends Refusal {
  constructor() {
    super({ code: Code.Unavailable, message: "no socket could be opened" });
  }
}

/** A transport whose streams go over sockets, and its other calls over another transport. */
export function createSocketWire(
  baseUrl: string,
  wire: Transport,
  Socket: WebSocketConstructor,
): Transport {
  const url = socketUrl(baseUrl);
  const lines = new Set<Line>();

  function line(): Line {
    for (const line of lines) if (line.calls.size < CALLS_MAX) return line;
    const line = new Line(opened(), () => lines.delete(line));
    lines.add(line);
    return line;
  }

  function opened(): WebSocketLike {
    try {
      return new Socket(url, ["croupier.v1.proto"]);
    } catch {
      // A browser forbids it, such as one to an address without TLS from a page with it.
      throw new NoSocket();
    }
  }

  return {
    unary: wire.unary.bind(wire),

    async stream(method, signal, timeoutMs, header, inputs) {
      const deadline = new Deadline(timeoutMs, signal);
      const call = new Call(deadline);
      try {
        const first = await firstOf(method, inputs);
        deadline.signal.throwIfAborted();
        await line().open(call, method, header, timeoutMs, first);
        if (sendsMany(method)) void call.sendAll(method.input, inputs);
        await call.opened;
        const message = messagesOf(call, method.output);
        const answer = { stream: true, service: method.parent, method, message };
        const answered = { ...answer, header: new Headers(), trailer: new Headers() };
        return answered as StreamResponse<typeof method.input, typeof method.output>;
      } catch (error) {
        call.cancel();
        throw deadline.explain(error);
      }
    },
  };
}

/** Not every browser takes a relative address, or one of `http`. */
function socketUrl(baseUrl: string): string {
  return new URL(`${baseUrl}/v1/socket`, globalThis.location?.href).href.replace(/^http/, "ws");
}

function sendsMany(method: DescMethod): boolean {
  return method.methodKind === "bidi_streaming" || method.methodKind === "client_streaming";
}

/** The only request of a method that takes one. */
async function firstOf<I extends DescMessage>(
  method: DescMethod & { input: I },
  inputs: AsyncIterable<MessageInitShape<I>>,
): Promise<Uint8Array | undefined> {
  if (sendsMany(method)) return undefined;
  const first = await inputs[Symbol.asyncIterator]().next();
  if (first.done) {
    throw new Refusal({ code: Code.InvalidArgument, message: `${method.name} takes a request` });
  }
  return toBinary(method.input, create(method.input, first.value));
}

async function* messagesOf<O extends DescMessage>(
  call: Call,
  desc: O,
): AsyncGenerator<MessageShape<O>> {
  try {
    for (;;) {
      const message = await call.next();
      if (message === undefined) return;
      yield fromBinary(desc, message);
    }
  } catch (error) {
    throw call.deadline.explain(error);
  } finally {
    call.cancel();
  }
}

/** One socket, which is closed when its last call has ended. */
class Line {
  readonly calls = new Map<string, Call>();
  readonly #opened: Promise<void>;
  #nextId = 1;
  /** How many frames were received. */
  #heard = 0;
  readonly #lost: () => void;

  constructor(
    readonly socket: WebSocketLike,
    readonly onGone: () => void,
  ) {
    socket.binaryType = "arraybuffer";
    let accept!: () => void;
    let refuse!: (error: unknown) => void;
    this.#opened = new Promise((resolve, reject) => ([accept, refuse] = [resolve, reject]));
    const timer = setTimeout(() => this.#lost(), OPENING_MAX_MS);
    this.#lost = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("offline", this.#lost);
      const closed = { code: Code.Unavailable, message: "the socket was closed" };
      const refusal = this.#heard === 0 ? new NoSocket() : new Refusal(closed);
      this.onGone();
      for (const call of [...this.calls.values()]) call.end(refusal);
      refuse(refusal);
      socket.close();
    };
    socket.addEventListener("open", () => {
      clearTimeout(timer);
      accept();
    });
    socket.addEventListener("error", this.#lost);
    socket.addEventListener("close", this.#lost);
    // Browsers keep a socket for minutes that has no network below it.
    globalThis.addEventListener?.("offline", this.#lost);
    // Calls are told on their own.
    this.#opened.catch(() => {});
    socket.addEventListener("message", ({ data }: { data: ArrayBuffer }) => {
      this.#take(new Uint8Array(data));
    });
  }

  async open(
    call: Call,
    method: DescMethod,
    header: HeadersInit | undefined,
    timeoutMs: number | undefined,
    message: Uint8Array | undefined,
  ): Promise<void> {
    const id = String(this.#nextId++);
    this.calls.set(id, call);
    call.join(this, id);
    await this.#opened;
    if (call.isOver) return;
    const headers: Record<string, string> = {};
    new Headers(header).forEach((value, name) => {
      if (name === "authorization" || name === "accept-language") headers[name] = value;
    });
    if (timeoutMs !== undefined) headers["grpc-timeout"] = `${Math.ceil(timeoutMs)}m`;
    const name = `${method.parent.typeName}.${method.name}`;
    this.send({ id, method: name, headers, window: WINDOW }, message);
    const heard = this.#heard;
    const unanswered = setTimeout(() => this.#heard === heard && this.#lost(), ANSWER_MAX_MS);
    void call.opened.catch(() => {}).then(() => clearTimeout(unanswered));
  }

  send(head: object, message?: Uint8Array): void {
    const text = new TextEncoder().encode(JSON.stringify(head));
    const frame = new Uint8Array(text.length + (message ? 1 + message.length : 0));
    frame.set(text);
    if (message) {
      frame[text.length] = LINE_FEED;
      frame.set(message, text.length + 1);
    }
    this.socket.send(frame);
  }

  leave(id: string): void {
    this.calls.delete(id);
    // Browsers report a socket that is closed before it is open.
    const close = () => {
      if (this.calls.size > 0) return;
      this.onGone();
      this.socket.close();
    };
    void this.#opened.then(close, () => {});
  }

  #take(frame: Uint8Array<ArrayBuffer>): void {
    this.#heard += 1;
    const at = frame.indexOf(LINE_FEED);
    const text = new TextDecoder().decode(at < 0 ? frame : frame.subarray(0, at));
    const head = JSON.parse(text) as Head;
    this.calls.get(head.id)?.take(head, at < 0 ? undefined : frame.subarray(at + 1));
  }
}

/** A call on a socket: what was received and not read, and what may be sent. */
class Call {
  readonly opened: Promise<void>;
  #line: Line | undefined;
  #id = "";
  #accept!: () => void;
  #refuse!: (error: unknown) => void;
  #received: Uint8Array[] = [];
  #read = 0;
  #granted = SENT_AHEAD_MAX;
  #end: { error?: unknown } | undefined;
  #wake = () => {};
  #grant = () => {};

  constructor(readonly deadline: Deadline) {
    this.opened = new Promise((resolve, reject) => {
      this.#accept = resolve;
      this.#refuse = reject;
    });
    this.opened.catch(() => {});
    deadline.signal.addEventListener("abort", () => this.cancel(), { once: true });
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  join(line: Line, id: string): void {
    this.#line = line;
    this.#id = id;
  }

  take(head: Head, message: Uint8Array | undefined): void {
    if (head.end) {
      this.end(head.error && refusalFrom(head.error, Code.Unknown));
      return;
    }
    this.#granted += head.more ?? 0;
    if (head.more) this.#grant();
    if (message) this.#received.push(message);
    this.#accept();
    this.#wake();
  }

  /** Ends the call, unless it has ended. */
  end(error?: unknown): void {
    if (this.#end) return;
    this.#end = error === undefined ? {} : { error };
    this.deadline.clear();
    if (error === undefined) this.#accept();
    else this.#refuse(error);
    this.#line?.leave(this.#id);
    this.#wake();
    this.#grant();
  }

  /** Ends the call on both sides, unless it has ended. */
  cancel(): void {
    if (this.#end) return;
    try {
      this.#line?.send({ id: this.#id, cancel: true });
    } catch {
      // The socket is not open, so the service knows nothing of the call.
    }
    this.end(new Refusal({ code: Code.Canceled, message: "the call was ended" }));
  }

  /** The next message; none at the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const message = this.#received.shift();
      if (message) {
        this.#read += 1;
        if (this.#read === WINDOW / 2 && !this.#end) {
          this.#line?.send({ id: this.#id, more: this.#read });
          this.#read = 0;
        }
        return message;
      }
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Sends all requests of a stream, as fast as the service takes them. */
  async sendAll<I extends DescMessage>(
    desc: I,
    inputs: AsyncIterable<MessageInitShape<I>>,
  ): Promise<void> {
    try {
      for await (const input of inputs) {
        while (this.#granted === 0 && !this.#end) {
          await new Promise<void>((resolve) => (this.#grant = resolve));
        }
        if (this.#end) return;
        this.#granted -= 1;
        this.#line?.send({ id: this.#id }, toBinary(desc, create(desc, input)));
      }
      if (!this.#end) this.#line?.send({ id: this.#id, end: true });
    } catch (error) {
      if (!this.#end) this.#line?.send({ id: this.#id, cancel: true });
      this.end(error);
    }
  }
}
