/** The leaves of the transparency log, as `docs/transparency.md` of the service defines them. */

import { deriveKey } from "./blake3.js";
import { hex } from "./bytes.js";
import { matchId, SEATS_MAX } from "./digests.js";

/** The version of the bytes, and the one of openings that tell platforms apart. */
const VERSION = 1;
const VERSION_OF_PLATFORMS = 2;
const OPENED = 1;
const CLOSED = 2;
const HASH = 32;
const TAG = 16;
const WON = 1;
const DELETED = 3;

/** That a match was opened, or closed. Hashes are in hexadecimal. */
export type Leaf = OpenedLeaf | ClosedLeaf;

interface OpenedLeaf {
  readonly kind: "opened";
  readonly match: string;
  /** In microseconds since 1970. */
  readonly time: bigint;
  readonly seedCommitment: string;
  readonly seats: number;
}

interface ClosedLeaf {
  readonly kind: "closed";
  readonly match: string;
  readonly digest: string;
  readonly position: number;
}

/** What stands for a match in its leaves. */
export function matchHash(name: string): string {
  return hex(deriveKey("croupier 2026-11 match of a leaf", matchId(name)));
}

/** The one encoding of a leaf; `undefined` for anything else, such as a later version. */
export function parseLeaf(bytes: Uint8Array): Leaf | undefined {
  const rest = new Rest(bytes);
  const [version, kind] = [rest.byte(), rest.byte()];
  const match = rest.hash();
  const time = rest.number();
  const digest = rest.hash();
  let leaf: Leaf | undefined;
  if ((version === VERSION || version === VERSION_OF_PLATFORMS) && kind === OPENED) {
    const seedCommitment = rest.hash();
    if (version === VERSION_OF_PLATFORMS) rest.tag();
    const seats = rest.byte();
    for (let seat = 0; seat < seats; seat += 1) rest.hash();
    if (seats < 1 || seats > SEATS_MAX) return undefined;
    leaf = { kind: "opened", match, time, seedCommitment, seats };
  } else if (version === VERSION && kind === CLOSED) {
    const position = Number(rest.number());
    const end = rest.byte();
    const isPossible = end >= WON && end <= DELETED && (position === 0) === (end === DELETED);
    if (!isPossible || position < 0) return undefined;
    leaf = { kind: "closed", match, digest, position };
  }
  return rest.isEmpty ? leaf : undefined;
}

/** The bytes that are left. What is beyond the end is zeros, and then it is not empty. */
class Rest {
  #at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isEmpty(): boolean {
    return this.#at === this.bytes.length;
  }

  byte(): number {
    return this.#take(1)[0] ?? 0;
  }

  tag(): string {
    return hex(this.#take(TAG));
  }

  hash(): string {
    return hex(this.#take(HASH));
  }

  number(): bigint {
    const bytes = new Uint8Array(8);
    bytes.set(this.#take(8));
    return new DataView(bytes.buffer).getBigInt64(0, true);
  }

  #take(count: number): Uint8Array {
    this.#at += count;
    return this.bytes.subarray(this.#at - count, this.#at);
  }
}
