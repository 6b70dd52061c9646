/** The rules and the verification as WebAssembly: bytes in, JSON out. */

import { compile } from "#bytes";
import type { Looked, Report } from "./report.js";
import type { Request } from "./worker.js";

/** The functions that the file exports. Addresses are of its memory. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  croupier_allocate(length: number): number;
  croupier_free(address: number): void;
  croupier_begin(address: number, length: number): number;
  croupier_take(address: number, length: number): bigint;
  croupier_finish(): number;
  croupier_compare(address: number, length: number): number;
  croupier_look(address: number, length: number): number;
  croupier_ask(address: number, length: number): number;
  croupier_answer(): number;
}

/** One verification after the other, and any matches. */
export class Engine {
  readonly #exports: Exports;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Loads the file at an address. */
  static async load(address: string): Promise<Engine> {
    const { exports } = await WebAssembly.instantiate(await compile(address), {});
    return new Engine(exports as unknown as Exports);
  }

  /** Answers a request, once the rules are loaded. */
  answer(request: Request): unknown {
    if ("begin" in request) return this.begin(request.begin);
    if ("piece" in request) return this.take(request.piece);
    if ("compare" in request) return this.compare(request.compare);
    if ("look" in request) return this.look(request.look);
    if ("ask" in request) return this.ask(request.ask);
    if ("finish" in request) return this.finish();
    throw new Error("the rules are loaded already");
  }

  /** Begins with what was kept. Throws a `TypeError` if that cannot be used. */
  begin(kept: string): void {
    const length = this.#with(encoder.encode(kept), this.#exports.croupier_begin);
    if (length > 0) throw new TypeError(this.#answer(length));
  }

  /** Takes the next piece of the record, and returns the number of entries verified so far. */
  take(piece: Uint8Array): number {
    return Number(this.#with(piece, this.#exports.croupier_take));
  }

  /** The answer after the last piece. */
  finish(): Report {
    return JSON.parse(this.#answer(this.#exports.croupier_finish()));
  }

  /** Compares the receipts that were kept with each other. */
  compare(kept: string): Report {
    const length = this.#with(encoder.encode(kept), this.#exports.croupier_compare);
    const text = this.#answer(Math.abs(length));
    if (length < 0) throw new TypeError(text);
    return JSON.parse(text);
  }

  /** Compares what a log tells now with what was kept of it. */
  look(look: string): Looked {
    const length = this.#with(encoder.encode(look), this.#exports.croupier_look);
    const text = this.#answer(Math.abs(length));
    if (length < 0) throw new TypeError(text);
    return JSON.parse(text);
  }

  /** Answers a request about the matches on this device. */
  ask(request: Uint8Array): { answer: Uint8Array; isRefusal: boolean } {
    const length = this.#with(request, this.#exports.croupier_ask);
    const isRefusal = length < 0;
    const address = this.#exports.croupier_answer() >>> 0;
    const answer = new Uint8Array(this.#exports.memory.buffer, address, isRefusal ? -1 - length : length);
    return { answer: answer.slice(), isRefusal };
  }

  /** Calls a function with bytes in a buffer of the memory. */
  #with<T>(bytes: Uint8Array, call: (address: number, length: number) => T): T {
    const { memory, croupier_allocate, croupier_free } = this.#exports;
    const address = croupier_allocate(bytes.length) >>> 0;
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    const returned = call(address, bytes.length);
    croupier_free(address);
    return returned;
  }

  #answer(length: number): string {
    const address = this.#exports.croupier_answer() >>> 0;
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, address, length));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
