/** The waits between attempts: growing, randomized, and never zero. */
export class Backoff {
  #ceilingMs: number;

  constructor(
    readonly minMs = 100,
    readonly maxMs = 10_000,
  ) {
    this.#ceilingMs = minMs;
  }

  /** Starts over, after an attempt that succeeded. */
  reset(): void {
    this.#ceilingMs = this.minMs;
  }

  /**
   * The next pause: at least what the service asked for, randomized to spread concurrent clients.
   */
  next(atLeastMs = 0): number {
    const spreadMs = this.#ceilingMs * (0.5 + Math.random() / 2);
    this.#ceilingMs = Math.min(this.#ceilingMs * 2, this.maxMs);
    return Math.max(spreadMs, atLeastMs * (1 + Math.random() / 4));
  }
}

/** Waits, or throws the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
