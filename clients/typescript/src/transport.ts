import { create, toBinary, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, type Transport } from "@connectrpc/connect";
import { Backoff, pause } from "./backoff.js";
import { createEitherWire } from "./either.js";
import { Refusal } from "./refusal.js";
import { createSocketWire, type WebSocketConstructor } from "./socket.js";
import { createWire, Deadline } from "./wire.js";

/** An API key or a token, or a function that returns one. */
export type Credentials = string | (() => string | Promise<string>);

/** How a client calls the service. */
export interface ConnectOptions {
  /**
   * An API key, a token, or a function that returns one. The function is called before the first
   * call, and again when the service no longer accepts what it returned.
   */
  credentials?: Credentials | undefined;
  /** The language of texts, as a BCP 47 tag such as `de`. */
  language?: string | undefined;
  /** The timeout of one attempt of a call, in milliseconds; 15000 if absent. */
  requestTimeoutMs?: number | undefined;
  /**
   * How long, in milliseconds, a call is retried while the service is unavailable; 60000 if absent.
   */
  retryForMs?: number | undefined;
  /** The `fetch` to call with, for tests and proxies. */
  fetch?: typeof globalThis.fetch | undefined;
  /**
   * Whether streams go over one WebSocket instead of `fetch`: for hosts where proxies hold answers
   * back, and for `rpc.matches.play`. `true` for the runtime's own; Node.js has one from 22 on, and
   * takes the class of the package `ws` before. With `"auto"` they go over `fetch` where no socket
   * can be opened.
   */
  socket?: boolean | "auto" | WebSocketConstructor | undefined;
}

/** The idempotency level of methods that do not declare one, which may have side effects. */
const IDEMPOTENCY_UNKNOWN = 0;

/** Calls that change something and that the contract allows to repeat without a request id. */
export const REPEATABLE = new Set([
  "AcceptInvitation",
  "AcknowledgeEntries",
  "AttendMatch",
  "ContributeEntropy",
  "CreateInvitation",
  "CreatePlayerToken",
  "CreateToken",
  "DeleteSeek",
  "ErasePlayer",
  "ImportMatch",
  "JoinMatch",
  "RevokeInvitations",
  "RevokePlayerTokens",
  "RevokeTokens",
  "TagMatch",
  "UpdateMatch",
  "UpdateSubscription",
]);

/** Adds credentials and language to calls, retries where that is safe, and throws `Refusal`s. */
export function createTransport(url: string, options: ConnectOptions): Transport {
  const { requestTimeoutMs = 15_000, retryForMs = 60_000 } = options;
  // Bound, because browsers refuse to call it as a method of another object.
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const wire = wired(url.replace(/\/+$/, ""), fetch, options.socket);
  const bearer = new Bearer(options.credentials);

  async function headers(given: HeadersInit | undefined): Promise<Headers> {
    const all = new Headers(given);
    const token = await bearer.token();
    if (token !== undefined && !all.has("authorization")) {
      all.set("authorization", `Bearer ${token}`);
    }
    if (options.language && !all.has("accept-language")) {
      all.set("accept-language", options.language);
    }
    return all;
  }

  return {
    async unary(method, signal, timeoutMs, header, input, contextValues) {
      const message = checked(method.input, input);
      const isSafe =
        method.idempotency !== IDEMPOTENCY_UNKNOWN ||
        REPEATABLE.has(method.name) ||
        hasRequestId(message);
      const backoff = new Backoff(100, 2_000);
      let retriedForMs = 0;
      let renewals = 0;
      for (;;) {
        const begun = Date.now();
        try {
          const limit = timeoutMs ?? requestTimeoutMs;
          const sent = await headers(header);
          return await wire.unary(method, signal, limit, sent, message, contextValues);
        } catch (error) {
          const refusal = Refusal.from(error);
          if (signal?.aborted) throw refusal;
          if (refusal.code === Code.Unauthenticated && renewals++ === 0 && bearer.renew()) continue;
          const mayRepeat = refusal.isRetryable && (isSafe || !refusal.outcomeUnknown);
          const waitMs = backoff.next(refusal.retryAfterMs);
          retriedForMs += Date.now() - begun + waitMs;
          if (!mayRepeat || retriedForMs > retryForMs) throw refusal;
          await pause(waitMs, signal);
        }
      }
    },

    async stream(method, signal, timeoutMs, header, inputs, contextValues) {
      const messages = allChecked(method.input, inputs);
      try {
        const sent = await headers(header);
        const response = await wire.stream(
          method,
          signal,
          timeoutMs,
          sent,
          messages,
          contextValues,
        );
        return { ...response, message: refusing(response.message, bearer) };
      } catch (error) {
        throw streamRefusal(error, bearer);
      }
    },
  };
}

/**
 * A page of the service as text, without credentials; `undefined` if there is none. It is asked for
 * again while the service is away.
 */
export async function readPage(
  url: string,
  options: ConnectOptions,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { requestTimeoutMs = 15_000, retryForMs = 60_000 } = options;
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const backoff = new Backoff(100, 2_000);
  const deadline = Date.now() + retryForMs;
  for (;;) {
    const limit = new Deadline(requestTimeoutMs, signal);
    try {
      const response = await fetch(url, { signal: limit.signal, redirect: "error" });
      if (response.ok) return await response.text();
      if (response.status < 500) return undefined;
      const message = `${url} is answered with status ${response.status}`;
      throw new Refusal({ code: Code.Unavailable, message });
    } catch (cause) {
      if (signal?.aborted) throw Refusal.from(cause);
      const waitMs = backoff.next();
      if (Date.now() + waitMs > deadline) {
        if (cause instanceof Refusal) throw cause;
        const message = `${url} cannot be read`;
        throw new Refusal({ code: Code.Unavailable, message, cause });
      }
      await pause(waitMs, signal);
    } finally {
      limit.clear();
    }
  }
}

/** The transport without credentials and retries, over one WebSocket as far as that is asked for. */
function wired(
  url: string,
  fetch: typeof globalThis.fetch,
  socket: ConnectOptions["socket"],
): Transport {
  const wire = createWire(url, fetch);
  if (!socket) return wire;
  const own = (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  if (socket === "auto") return own ? createEitherWire(url, wire, own) : wire;
  const Socket = socket === true ? own : socket;
  if (!Socket) throw new TypeError("this runtime has no WebSocket: give one as `socket`");
  return createSocketWire(url, wire, Socket);
}

/** The message; throws the refusal of one that cannot be sent, which a retry would not cure. */
function checked<D extends DescMessage>(desc: D, input: MessageInitShape<D>): MessageInitShape<D> {
  try {
    const message = create(desc, input);
    toBinary(desc, message);
    return message as MessageInitShape<D>;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the request is no ${desc.name}: ${why}`;
    throw new Refusal({ code: Code.InvalidArgument, message, cause });
  }
}

async function* allChecked<D extends DescMessage>(
  desc: D,
  inputs: AsyncIterable<MessageInitShape<D>>,
): AsyncGenerator<MessageInitShape<D>> {
  for await (const input of inputs) yield checked(desc, input);
}

/** The messages of a stream, which fails with `Refusal`s. */
async function* refusing<M>(messages: AsyncIterable<M>, bearer: Bearer): AsyncGenerator<M> {
  try {
    yield* messages;
  } catch (error) {
    throw streamRefusal(error, bearer);
  }
}

/** Renews the credentials, if possible, for the attempt that resumes the stream. */
function streamRefusal(error: unknown, bearer: Bearer): Refusal {
  const refusal = Refusal.from(error);
  if (refusal.code === Code.Unauthenticated) bearer.renew();
  return refusal;
}

/**
 * The service acts once on requests with an id, even if they are repeated. In a batch each has one.
 */
function hasRequestId(input: object): boolean {
  if ("requests" in input && Array.isArray(input.requests)) {
    return input.requests.every(hasRequestId);
  }
  return "requestId" in input && typeof input.requestId === "string" && input.requestId !== "";
}

/** The credentials, fetched when they are first needed. */
class Bearer {
  #fetched: Promise<string> | undefined;

  constructor(readonly credentials: Credentials | undefined) {}

  token(): Promise<string> | string | undefined {
    if (typeof this.credentials !== "function") return this.credentials;
    const fetch = this.credentials;
    this.#fetched ??= Promise.resolve()
      .then(fetch)
      .catch((cause: unknown) => {
        this.#fetched = undefined;
        const message = "the credentials cannot be fetched";
        // `fetch` fails with a TypeError when the connection does.
        const code = cause instanceof TypeError ? Code.Unavailable : Code.Unauthenticated;
        throw new Refusal({ code, message, cause });
      });
    return this.#fetched;
  }

  /** Drops the refused credentials; false if there are no others. */
  renew(): boolean {
    this.#fetched = undefined;
    return typeof this.credentials === "function";
  }
}
