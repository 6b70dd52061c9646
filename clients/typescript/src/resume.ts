import { Code } from "@connectrpc/connect";
import { Backoff, pause } from "./backoff.js";
import { headersOf, type CallOptions } from "./calls.js";
import { Refusal } from "./refusal.js";

/** The options of every stream. */
export interface StreamOptions extends CallOptions {
  /** Ends the stream: its loop then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Called when the connection changes: false with the refusal when it is lost or cannot be opened,
   * true when it is connected again.
   */
  onConnection?: ((connected: boolean, refusal?: Refusal) => void) | undefined;
  /**
   * How long, in milliseconds, a stream may be silent before it is reopened, since a lost network
   * gives no other sign; 60000 if absent.
   */
  silenceMaxMs?: number | undefined;
}

/** The options of a streaming call of connect-es that {@link resumed} sets. */
export interface StreamCall {
  /** Ends this attempt. */
  signal: AbortSignal;
  /** Asks for texts in a language. */
  headers: HeadersInit;
  /** Called once the service has answered. */
  onHeader(): void;
}

/** How a stream is opened and reopened. */
export interface Resumable<M> {
  /** Opens the stream after the received messages, until the signal of the call is aborted. */
  open(call: StreamCall): AsyncIterable<M>;
  /** Records the position at which a refusal says to resume. */
  resumeAt?(refusal: Refusal): void;
  /** Whether the stream is over when the service ends it without an error. */
  endsByItself: boolean;
}

/**
 * The messages of a stream that is reopened after the received ones when the connection or the
 * service is lost, with growing pauses of up to 10 seconds. It throws a refusal that a retry would
 * not cure.
 */
export async function* resumed<M>(
  stream: Resumable<M>,
  options: StreamOptions = {},
): AsyncGenerator<M, void, undefined> {
  const { signal, language, silenceMaxMs = 60_000 } = options;
  const backoff = new Backoff();
  let isConnected: boolean | undefined;
  let isUnauthenticated = false;
  const tell = (connected: boolean, refusal?: Refusal) => {
    if (connected === isConnected) return;
    isConnected = connected;
    options.onConnection?.(connected, refusal);
  };
  for (;;) {
    signal?.throwIfAborted();
    const attempt = new Attempt(signal, headersOf(language), silenceMaxMs, () => tell(true));
    try {
      const messages = stream.open(attempt)[Symbol.asyncIterator]();
      for (;;) {
        const next = await attempt.heard(messages.next());
        if (next.done) {
          if (stream.endsByItself) return;
          break;
        }
        backoff.reset();
        isUnauthenticated = false;
        yield next.value;
      }
      await pause(backoff.next(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error === SILENT) continue;
      const refusal = Refusal.from(error);
      // The transport has asked for other credentials; the second refusal is final.
      const isRenewed = refusal.code === Code.Unauthenticated && !isUnauthenticated;
      if (isRenewed) isUnauthenticated = true;
      if (!refusal.isRetryable && !isRenewed) throw refusal;
      stream.resumeAt?.(refusal);
      tell(false, refusal);
      await pause(backoff.next(refusal.retryAfterMs), signal);
    } finally {
      attempt.close();
    }
  }
}

/** Thrown if an open stream has been silent for too long. */
const SILENT = Symbol("silent");

/** The timeout for the answer to a call that opens a stream. */
const OPENING_MAX_MS = 15_000;

/** One opening of a stream, which ends with the signal, with a silence, or when it is closed. */
class Attempt implements StreamCall {
  readonly #abort = new AbortController();
  readonly #stop = () => this.#abort.abort(this.outer?.reason);
  #isOpen = false;

  constructor(
    readonly outer: AbortSignal | undefined,
    readonly headers: HeadersInit,
    readonly silenceMaxMs: number,
    readonly onOpen: () => void,
  ) {
    outer?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  readonly onHeader = (): void => {
    this.#isOpen = true;
    this.onOpen();
  };

  /** The next message, unless the service is silent for too long. */
  heard<T>(next: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let wasOpen = this.#isOpen;
      const expire = () => {
        // The timer began before the answer; from the answer on, the timeout of silence applies.
        if (!wasOpen && this.#isOpen) {
          wasOpen = true;
          timer = setTimeout(expire, this.silenceMaxMs);
          return;
        }
        const message = "the service does not answer";
        reject(wasOpen ? SILENT : new Refusal({ code: Code.DeadlineExceeded, message }));
        this.#abort.abort();
      };
      let timer = setTimeout(expire, wasOpen ? this.silenceMaxMs : OPENING_MAX_MS);
      const stop = () => {
        clearTimeout(timer);
        reject(this.signal.reason);
      };
      this.signal.addEventListener("abort", stop, { once: true });
      next.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", stop);
      });
    });
  }

  close(): void {
    this.outer?.removeEventListener("abort", this.#stop);
    this.#abort.abort();
  }
}
