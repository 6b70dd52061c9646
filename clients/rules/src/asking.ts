/** Where the rules run: in a worker, or in the caller's thread. */

import type { Engine } from "./engine.js";
import type { Answer, Request } from "./worker.js";

/** What answers requests, one after the other. */
export interface Asking {
  ask(request: Request): Promise<unknown>;
  close(): void;
}

/** The rules in the caller's thread. */
export class Here implements Asking {
  constructor(readonly engine: Engine) {}

  async ask(request: Request): Promise<unknown> {
    return this.engine.answer(request);
  }

  close(): void {}
}

/** The rules in a worker. */
export class Elsewhere implements Asking {
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  /** Fails the request that waits for an answer. */
  #fail: (error: Error) => void = () => {};

  private constructor(readonly worker: Worker) {}

  static async load(wasm: string, address: string | URL | undefined): Promise<Elsewhere> {
    // Bundlers find the worker by this expression.
    const worker = address
      ? new Worker(address, { type: "module" })
      : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const rules = new Elsewhere(worker);
    try {
      await rules.ask({ load: String(new URL(wasm, globalThis.location?.href)) });
    } catch (error) {
      rules.close();
      throw error;
    }
    return rules;
  }

  ask(request: Request): Promise<unknown> {
    const answered = this.#last.then(() => this.#send(request));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  #send(request: Request): Promise<unknown> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      if (this.#isClosed) return reject(closed());
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ("result" in data) resolve(data.result);
        else reject(data.isKept ? new TypeError(data.failure) : new Error(data.failure));
      };
      worker.onerror = ({ message }) => reject(new Error(message || "the worker cannot be loaded"));
      worker.postMessage(request);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.worker.terminate();
    this.#fail(closed());
  }
}

function closed(): Error {
  return new Error("the rules were let go");
}
