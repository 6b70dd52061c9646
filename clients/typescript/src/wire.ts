/**
 * The Connect protocol over `fetch`, in binary, for unary and server-streaming calls. The transport
 * of `@connectrpc/connect-web` also supports JSON, and would add 12 KB to a page.
 */

import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, type StreamResponse, type Transport, type UnaryResponse } from "@connectrpc/connect";
import { Refusal, type Detail } from "./refusal.js";

const COMPRESSED = 1;
const END_OF_STREAM = 2;
const ENVELOPE = 5;

/** A transport without credentials and retries. It throws {@link Refusal}s. */
export function createWire(baseUrl: string, fetch: typeof globalThis.fetch): Transport {
  async function post(
    path: string,
    type: string,
    body: Uint8Array<ArrayBuffer>,
    header: HeadersInit | undefined,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = new Headers(header);
    headers.set("content-type", type);
    headers.set("connect-protocol-version", "1");
    if (timeoutMs !== undefined) headers.set("connect-timeout-ms", String(Math.ceil(timeoutMs)));
    const init = { method: "POST", headers, body, signal, redirect: "error" } as const;
    const response = await fetch(`${baseUrl}/${path}`, init);
    if (response.status !== 200) throw await refusalOf(response);
    const answered = response.headers.get("content-type") ?? "";
    if (!answered.startsWith(type)) {
      const message = `${baseUrl} answers with ${answered || "no content type"}: it is no service of Croupier`;
      throw new Refusal({ code: Code.Unimplemented, message });
    }
    return response;
  }

  return {
    async unary(method, signal, timeoutMs, header, input) {
      const deadline = new Deadline(timeoutMs, signal);
      try {
        const body = toBinary(method.input, create(method.input, input));
        const path = `${method.parent.typeName}/${method.name}`;
        const response = await post(
          path,
          "application/proto",
          body,
          header,
          timeoutMs,
          deadline.signal,
        );
        const message = fromBinary(method.output, new Uint8Array(await response.arrayBuffer()));
        const answer = { stream: false, message, ...answered(method, response) };
        return answer as UnaryResponse<typeof method.input, typeof method.output>;
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.clear();
      }
    },

    async stream(method, signal, timeoutMs, header, inputs) {
      const deadline = new Deadline(timeoutMs, signal);
      try {
        const first = await inputs[Symbol.asyncIterator]().next();
        if (method.methodKind !== "server_streaming" || first.done) {
          const message = `${method.name} streams its requests: use gRPC`;
          throw new Refusal({ code: Code.Unimplemented, message });
        }
        const body = enveloped(toBinary(method.input, create(method.input, first.value)));
        const path = `${method.parent.typeName}/${method.name}`;
        const type = "application/connect+proto";
        const response = await post(path, type, body, header, timeoutMs, deadline.signal);
        const message = messagesOf(response, method.output, deadline);
        const answer = { stream: true, message, ...answered(method, response) };
        return answer as StreamResponse<typeof method.input, typeof method.output>;
      } catch (error) {
        deadline.clear();
        throw deadline.explain(error);
      }
    },
  };
}

/** The parts of an answer besides its message. */
function answered<M extends DescMethod>(method: M, { headers }: Response) {
  return { service: method.parent, method, header: headers, trailer: new Headers() };
}

/** The messages of a stream: each in an envelope, the last of which holds the outcome. */
async function* messagesOf<O extends DescMessage>(
  response: Response,
  desc: O,
  deadline: Deadline,
): AsyncGenerator<MessageShape<O>> {
  const reader = response.body?.getReader();
  try {
    let held = new Uint8Array(0);
    for (;;) {
      const read = await reader?.read();
      if (!read || read.done) {
        throw new Refusal({ code: Code.Unavailable, message: "the stream broke off" });
      }
      held = joined(held, read.value);
      let at = 0;
      while (held.length - at >= ENVELOPE) {
        const view = new DataView(held.buffer, held.byteOffset + at);
        const flags = view.getUint8(0);
        const end = at + ENVELOPE + view.getUint32(1);
        if (held.length < end) break;
        const data = held.subarray(at + ENVELOPE, end);
        at = end;
        if (flags & COMPRESSED) {
          throw new Refusal({ code: Code.Internal, message: "the stream is compressed" });
        }
        if (flags & END_OF_STREAM) {
          const { error } = JSON.parse(new TextDecoder().decode(data)) as { error?: WireError };
          if (error) throw refusalFrom(error, Code.Unknown);
          return;
        }
        yield fromBinary(desc, data);
      }
      held = held.subarray(at);
    }
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.clear();
    reader?.cancel().catch(() => {});
  }
}

function enveloped(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(ENVELOPE + data.length);
  new DataView(bytes.buffer).setUint32(1, data.length);
  bytes.set(data, ENVELOPE);
  return bytes;
}

function joined(one: Uint8Array<ArrayBuffer>, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** An error in the protocol's JSON form. */
export interface WireError {
  code?: string;
  message?: string;
  details?: { type?: string; value?: string }[];
}

/** The codes of answers from a proxy in front of the service. */
const CODES: Record<number, Code> = {
  400: Code.Internal,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.Unimplemented,
  429: Code.Unavailable,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.Unavailable,
};

async function refusalOf(response: Response): Promise<Refusal> {
  const code = CODES[response.status] ?? Code.Unknown;
  const text = await response.text();
  try {
    return refusalFrom(JSON.parse(text) as WireError, code);
  } catch {
    return new Refusal({ code, message: `the answer has the status ${response.status}` });
  }
}

/** The refusal that an error is. */
export function refusalFrom({ code = "", message = "", details = [] }: WireError, usual: Code): Refusal {
  const name = code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const known = (Code as unknown as Record<string, Code | undefined>)[name];
  const decoded: Detail[] = details.map(({ type = "", value = "" }) => {
    return { type, value: Uint8Array.from(atob(value), (char) => char.charCodeAt(0)) };
  });
  return Refusal.of(known ?? usual, message, decoded);
}

/** Ends a call at its timeout or at its caller's signal. */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #stop = () => this.#abort.abort(this.outer?.reason);
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(
    timeoutMs: number | undefined,
    readonly outer: AbortSignal | undefined,
  ) {
    if (outer?.aborted) this.#stop();
    outer?.addEventListener("abort", this.#stop, { once: true });
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#abort.abort();
    }, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.outer?.removeEventListener("abort", this.#stop);
  }

  /** The error for a failure of this call. */
  explain(error: unknown): unknown {
    if (this.outer?.aborted) {
      const { reason: cause } = this.outer;
      return new Refusal({ code: Code.Canceled, message: "the call was ended", cause });
    }
    if (!this.#isOver) return error;
    return new Refusal({
      code: Code.DeadlineExceeded,
      message: "the service did not answer in time",
    });
  }
}
