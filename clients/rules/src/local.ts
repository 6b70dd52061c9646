/**
 * Matches on this device: dealt, played against bots, told in words and recorded without a service, by
 * the service's own code.
 */

import { Elsewhere, Here, type Asking } from "./asking.js";
import { Engine } from "./engine.js";

/** Where the files of this package are. By default they are beside this module. */
export interface Files {
  /** `rules.wasm`. */
  wasm?: string | URL | undefined;
  /** `worker.js`, a module. */
  worker?: string | URL | undefined;
}

/**
 * Where matches are played: by a service, or on this device. `Croupier.connect(rules.url, { fetch:
 * rules.fetch })` of `@croupier/client` makes the same client of both: it deals, lists, acts, refuses with
 * reasons, and tells everything in words.
 */
export interface Rules {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
}

/** The rules of a service. */
export class Remote implements Rules {
  readonly fetch = globalThis.fetch.bind(globalThis);

  constructor(readonly url: string) {}
}

/** A match to deal. */
export interface Deal {
  /** The game, such as `mountebank`, or as `games/{game}`. */
  readonly game: string;
  /** Who sits where: one person, and bots of a level such as `heuristic`. */
  readonly seats: readonly { readonly bot?: string; readonly displayName: string }[];
  readonly options?: Readonly<Record<string, string>>;
}

/** A list of legal actions to make from the table of a seat, as a service told it. */
export interface Listing {
  /** The game, as `games/{game}`, by rules that are compiled in. */
  readonly game: string;
  /** The version of the rules that the service has: `Game.rulesVersion`. */
  readonly rulesVersion: number;
  /** The language of the texts, as a BCP 47 tag. */
  readonly language: string;
  /** The names of the players, by seat. */
  readonly names: readonly string[];
  readonly isPaused?: boolean | undefined;
  /** As in `ListLegalActionsRequest`. */
  readonly verb?: string | undefined;
  readonly pieces?: readonly string[] | undefined;
  readonly copies?: boolean | undefined;
  readonly reasons?: boolean | undefined;
  readonly effects?: boolean | undefined;
}

/** How long a bot thinks that searches, in milliseconds, about. */
const THINK_MS = 200;

/** The bounds of the iterations that a search is given: few on a slow device. */
const ITERATIONS_MIN = 8;
const ITERATIONS_MAX = 5_000;

/** Calls that record something. After those, bots may have to act. */
const ACTS = new Set(["SubmitAction", "ResignMatch", "TakeBack", "VoteMatch"]);

/** The rules on this device: in a worker where there are web workers, otherwise in the caller's thread. */
export class Local implements Rules {
  readonly url = "device:";
  readonly #asking: Asking;
  readonly #names = new Set<string>();
  readonly #listeners = new Set<(name: string) => void>();
  #iterations = 60;
  #isThinking = false;
  /** Whether bots may have to act that were not asked yet. */
  #isDue = false;
  #isClosed = false;

  private constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Loads the rules. After that no network is needed. */
  static async load(files: Files = {}): Promise<Local> {
    const wasm = String(files.wasm ?? new URL("./rules.wasm", import.meta.url));
    if (typeof Worker === "undefined") return new Local(new Here(await Engine.load(wasm)));
    return new Local(await Elsewhere.load(wasm, files.worker));
  }

  /** Deals a match, and returns its name. Bots act as soon as it is their turn. */
  async deal({ game, seats, options = {} }: Deal): Promise<string> {
    const deal = {
      seed: random(32),
      game: game.replace(/^games\//, ""),
      seats: seats.map(({ bot = "", displayName }) => ({ bot, display_name: displayName })),
      options,
      now_ms: Date.now(),
    };
    return this.#begin(await this.#text({ deal }));
  }

  /** Takes up a match from its record, which is verified first. Returns its name. */
  async takeUp(record: string): Promise<string> {
    return this.#begin(await this.#text("take_up", encoder.encode(record)));
  }

  /**
   * The record of a match as a file, as `croupier verify` takes it. That of a match under way has the
   * seed: it tells what is hidden.
   */
  record(name: string): Promise<string> {
    return this.#text({ record: name });
  }

  /**
   * The message `ImportMatchRequest` of `croupier.v1`, in its binary form, by which a service takes over a
   * match that has ended.
   */
  async give(name: string): Promise<Uint8Array> {
    return this.#ask({ give: name });
  }

  /**
   * Lists the legal actions of a seat from its `Table` of `croupier.v1`, in its binary form, as a match
   * of a service has it: the message `ListLegalActionsResponse` that the service answers, as long as both
   * have the same release. `undefined` if this device does not have these rules.
   */
  async list(listing: Listing, table: Uint8Array): Promise<Uint8Array | undefined> {
    const { game, rulesVersion, language, names, isPaused, verb, pieces, copies, reasons, effects } = listing;
    const list = {
      game: game.replace(/^games\//, ""),
      rules_version: rulesVersion,
      language,
      names,
      is_paused: isPaused,
      verb,
      pieces,
      copies,
      reasons,
      effects,
    };
    try {
      return await this.#ask({ list }, table);
    } catch (error) {
      if (error instanceof Refused && error.code === "unimplemented") return undefined;
      throw error;
    }
  }

  /** Lets a match go, which only its record keeps. */
  async drop(name: string): Promise<void> {
    this.#names.delete(name);
    await this.#ask({ drop: name });
  }

  /** Calls the listener when something was recorded in a match; returns a function that removes it. */
  onEntry(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the worker, and all streams. */
  close(): void {
    this.#isClosed = true;
    this.#asking.close();
    this.#tell("");
  }

  /** Answers the calls of a client of this device, as a service does. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const path = String(input instanceof Request ? input.url : input).replace(/^device:\/*/, "");
    const language = new Headers(init?.headers).get("accept-language") ?? "";
    const message = new Uint8Array(init?.body as ArrayBuffer);
    const call = () => ({ path, language, now_ms: Date.now(), chance: random(32), iterations: this.#iterations * 3 });
    try {
      if (path.endsWith("/WatchEntries")) return this.#watch(call, message.subarray(ENVELOPE), init?.signal);
      if (path.endsWith("/ReadRecord")) {
        const answer = await this.#ask({ call: call() }, message.subarray(ENVELOPE));
        return streamed(concat([enveloped(0, answer), enveloped(END_OF_STREAM, encoder.encode("{}"))]));
      }
      const answer = await this.#ask({ call: call() }, message);
      if (ACTS.has(path.slice(path.lastIndexOf("/") + 1))) {
        this.#tell("");
        void this.#think();
      }
      return new Response(answer as BodyInit, { headers: { "content-type": "application/proto" } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return new Response(error.json, { status: 400, headers: { "content-type": "application/json" } });
    }
  };

  /** The entries of a match, and each that follows. */
  #watch(call: () => object, message: Uint8Array, signal: AbortSignal | null | undefined): Response {
    let after: number | null = null;
    let wake = () => {};
    const stop = this.onEntry(() => wake());
    signal?.addEventListener("abort", () => wake(), { once: true });
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const end = (json: string) => {
        stop();
        controller.enqueue(enveloped(END_OF_STREAM, encoder.encode(json)));
        controller.close();
      };
      try {
        for (;;) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          if (signal?.aborted || this.#isClosed) return end("{}");
          const answer = await this.#ask({ watch: { call: call(), after } }, message);
          const line = answer.indexOf(10);
          const { position, ended } = JSON.parse(decoder.decode(answer.subarray(0, line)));
          const isNews = after === null || position > after;
          after = position;
          if (isNews) controller.enqueue(enveloped(0, answer.subarray(line + 1)));
          if (ended) return end("{}");
          if (isNews) return;
          await woken;
        }
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        end(`{"error":${error.json}}`);
      }
    };
    return streamed(new ReadableStream({ pull, cancel: stop }));
  }

  async #begin(name: string): Promise<string> {
    this.#names.add(name);
    void this.#think();
    return name;
  }

  /** Lets bots act, one decision after the other, until people are to act. */
  async #think(): Promise<void> {
    this.#isDue = true;
    if (this.#isThinking) return;
    this.#isThinking = true;
    try {
      // Somebody may act while the bots are asked.
      while (this.#isDue) {
        this.#isDue = false;
        for (const name of this.#names) if (await this.#thinkAt(name)) this.#isDue = true;
      }
    } catch (error) {
      if (!this.#isClosed) console.error("croupier:", error);
    } finally {
      this.#isThinking = false;
    }
  }

  async #thinkAt(name: string): Promise<boolean> {
    const iterations = this.#iterations;
    const began = performance.now();
    const think = { name, now_ms: Date.now(), chance: random(32), iterations };
    const hasActed = (await this.#text({ think })) === "true";
    const ms = performance.now() - began;
    // What does not search takes no time, and says nothing about it.
    const aimed = iterations * Math.min(2, Math.max(0.25, THINK_MS / ms));
    if (ms > THINK_MS / 4) this.#iterations = Math.round(Math.min(ITERATIONS_MAX, Math.max(ITERATIONS_MIN, aimed)));
    if (hasActed) this.#tell(name);
    return hasActed;
  }

  #tell(name: string): void {
    for (const listener of [...this.#listeners]) listener(name);
  }

  async #text(request: unknown, bytes?: Uint8Array): Promise<string> {
    return decoder.decode(await this.#ask(request, bytes));
  }

  async #ask(request: unknown, bytes: Uint8Array = new Uint8Array()): Promise<Uint8Array> {
    const ask = concat([encoder.encode(`${JSON.stringify(request)}\n`), bytes]);
    const { answer, isRefusal } = (await this.#asking.ask({ ask })) as { answer: Uint8Array; isRefusal: boolean };
    if (isRefusal) throw new Refused(decoder.decode(answer));
    return answer;
  }
}

/** A refusal, with the error of the protocol Connect. */
class Refused extends Error {
  readonly code: string;

  constructor(readonly json: string) {
    const { code, message } = JSON.parse(json);
    super(message);
    this.code = code;
  }
}

const END_OF_STREAM = 2;
const ENVELOPE = 5;

function enveloped(flags: number, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(ENVELOPE + data.length);
  bytes[0] = flags;
  new DataView(bytes.buffer).setUint32(1, data.length);
  bytes.set(data, ENVELOPE);
  return bytes;
}

function streamed(body: Uint8Array | ReadableStream<Uint8Array>): Response {
  return new Response(body as BodyInit, { headers: { "content-type": "application/connect+proto" } });
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Random bytes, in hexadecimal. */
function random(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
