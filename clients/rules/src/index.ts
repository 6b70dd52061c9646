/**
 * The games of Croupier on the player's own device, without a service: matches against bots, and the
 * check of matches: digests, commitments, every random choice, and every action and its consequences.
 * It is the code of the service and of `croupier verify`, compiled to WebAssembly.
 *
 * @packageDocumentation
 */
import { Elsewhere, Here, type Asking } from "./asking.js";
import { Engine } from "./engine.js";
import type { Files } from "./local.js";
import { lookSpelled, spelled, type Kept, type Look, type Looked, type Report } from "./report.js";

export { Local, Remote, type Deal, type Files, type Listing, type Rules } from "./local.js";
export type { Answer, Finding, Kept, LogReport, Look, Looked, Report } from "./report.js";

/** How far a verification is. */
export interface Progress {
  /** The entries that were verified: those of whole matches. */
  readonly entries: number;
  /** The bytes of the record that were read. */
  readonly bytes: number;
}

export interface Options {
  /** Called after each piece of the record. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the verification early. */
  signal?: AbortSignal | undefined;
}

/** A record: the content of a file of records, whole or in pieces. */
export type Source = Uint8Array | ReadableStream<Uint8Array> | Response | Blob;

/** The rules, loaded: in a worker where there are web workers, otherwise in the caller's thread. */
export class Verifier {
  readonly #rules: Asking;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(rules: Asking) {
    this.#rules = rules;
  }

  /** Loads the rules. After that no network is needed. */
  static async load(files: Files = {}): Promise<Verifier> {
    const wasm = String(files.wasm ?? new URL("./rules.wasm", import.meta.url));
    if (typeof Worker === "undefined") return new Verifier(new Here(await Engine.load(wasm)));
    return new Verifier(await Elsewhere.load(wasm, files.worker));
  }

  /**
   * Verifies a record, and compares it with what was kept. Resolves to the object that `croupier
   * verify --json` prints. Rejects with a `TypeError` if what was kept cannot be used, and if the
   * record cannot be read to its end. Records wait for each other.
   */
  verifyRecord(record: Source, kept: Kept = {}, options: Options = {}): Promise<Report> {
    return this.#next(() => this.#verify(record, kept, options));
  }

  /** Compares receipts with each other, without a record. */
  verifyReceipts(kept: Pick<Kept, "receipts" | "keys">): Promise<Report> {
    return this.#next(async () => (await this.#rules.ask({ compare: spelled(kept) })) as Report);
  }

  /**
   * Compares what a transparency log tells of a match under way with what was kept of the log: that it
   * signed it, that the leaf is of the match, and that its checkpoint and the kept one are of one history.
   * Rejects with a `TypeError` if what was kept cannot be used.
   */
  look(look: Look): Promise<Looked> {
    return this.#next(async () => (await this.#rules.ask({ look: lookSpelled(look) })) as Looked);
  }

  /** Ends the worker. */
  close(): void {
    this.#rules.close();
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #verify(record: Source, kept: Kept, { onProgress, signal }: Options): Promise<Report> {
    signal?.throwIfAborted();
    await this.#rules.ask({ begin: spelled(kept) });
    let bytes = 0;
    for await (const piece of piecesOf(record)) {
      const entries = (await this.#rules.ask({ piece })) as number;
      bytes += piece.length;
      onProgress?.({ entries, bytes });
      signal?.throwIfAborted();
    }
    return (await this.#rules.ask({ finish: true })) as Report;
  }
}

/**
 * Verifies one record: loads the rules, verifies it as {@link Verifier.verifyRecord} does, and lets
 * the rules go.
 */
export async function verifyRecord(
  record: Source,
  kept: Kept = {},
  { wasm, worker, ...options }: Options & Files = {},
): Promise<Report> {
  const verifier = await Verifier.load({ wasm, worker });
  try {
    return await verifier.verifyRecord(record, kept, options);
  } finally {
    verifier.close();
  }
}

/** The most bytes that are handed over at once. */
const PIECE_BYTES_MAX = 1 << 18;

async function* piecesOf(record: Source): AsyncGenerator<Uint8Array> {
  if (record instanceof Uint8Array) yield* slices(record);
  else if (record instanceof ReadableStream) yield* readFrom(record);
  else if (record instanceof Blob) yield* readFrom(record.stream());
  else if (!record.ok) throw new Error(`the record was answered with status ${record.status}`);
  else if (record.body) yield* readFrom(record.body);
}

async function* readFrom(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* slices(value);
    }
  } finally {
    // Whoever sends it may stop, if it was not read to its end.
    await reader.cancel().catch(() => undefined);
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES_MAX) {
    yield bytes.subarray(at, at + PIECE_BYTES_MAX);
  }
}
