/** Digests, keys and choices of a match, as `docs/verify.md` of the service defines them. */

import { deriveKey, keyedHash } from "./blake3.js";
import {
  concat,
  field,
  integer,
  list,
  little,
  optional,
  optionalInteger,
  quoted,
  require,
  unhex,
  utf8,
} from "./bytes.js";

/** The maximum number of seats of a match. */
export const SEATS_MAX = 8;

const I32_MAX = 2 ** 31 - 1;

/** The digest of a match's creation, from its line in the record. */
export function creationDigest(line: unknown): Uint8Array {
  const options = field(line, "options", "object");
  const follows = optional(line, "follows", "object");
  const wait = optionalInteger(line, "reveal_wait_s", 0, Number.MAX_SAFE_INTEGER);
  const seats = integer(line, "seats", 1, SEATS_MAX);
  const named = Object.keys(options)
    .map((name) => [utf8(name), utf8(field(options, name, "string"))] as const)
    .sort(([a], [b]) => compareBytes(a, b));
  const parts = [
    matchId(field(line, "name", "string")),
    utf8(field(line, "platform", "string")),
    utf8(field(line, "game", "string")),
    little(seats, 2),
    little(named.length, 8),
    ...named.flat(),
    unhex(field(line, "seed_commitment", "string"), 32),
    little(micros(field(line, "create_time", "string")), 8),
    wait === undefined ? new Uint8Array() : little(wait, 8),
  ];
  if (follows) {
    const bestOf = optionalInteger(follows, "best_of", 1, I32_MAX);
    const number = integer(follows, "number", 1, I32_MAX);
    const wins = list(follows, "wins").map((won) => (Number.isSafeInteger(won) ? Number(won) : -1));
    const played = wins.reduce((sum, won) => sum + won, 0);
    const isPossible = wins.length === seats && wins.every((won) => won >= 0) && played < number;
    require(isPossible, "the numbers of its series contradict each other");
    parts.push(
      matchId(field(follows, "previous", "string")),
      little(number, 4),
      bestOf === undefined ? new Uint8Array() : little(bestOf, 4),
      ...wins.map((won) => little(won, 4)),
    );
  }
  const data = parts.flatMap((part) => [little(part.length, 8), part]);
  return deriveKey("croupier 2026-11 digest of a match", concat(...data));
}

/** The key of a match's digests. */
export function digestKey(id: Uint8Array, seed: Uint8Array): Uint8Array {
  return deriveKey("croupier 2026-11 digests of a match's entries", concat(id, seed));
}

/** The data that the digest of an entry covers, besides the digest before it. */
export interface Digested {
  position: number;
  /** In microseconds. */
  time: bigint;
  seat: number | undefined;
  requestId: string | undefined;
  body: Uint8Array;
}

/** The digest of an entry and of all earlier ones. */
export function entryDigest(key: Uint8Array, before: Uint8Array, entry: Digested): Uint8Array {
  const position = little(entry.position, 8);
  const request = utf8(entry.requestId ?? "");
  const data = concat(
    before,
    position,
    little(entry.time, 8),
    little(entry.seat ?? 255, 1),
    little(entry.requestId === undefined ? 2 ** 32 - 1 : request.length, 4),
    request,
    entry.body,
  );
  return keyedHash(keyedHash(key, position), data);
}

/** A seat's contribution to the chance of its match. */
export interface Contribution {
  /** The seat. */
  seat: number;
  /** 16 to 32 bytes. */
  bytes: Uint8Array;
}

/** The key of a match's chance. */
export function chanceKey(
  id: Uint8Array,
  seed: Uint8Array,
  contributions: readonly Contribution[],
): Uint8Array {
  const given = contributions.flatMap(({ seat, bytes }) => [
    Uint8Array.of(seat, bytes.length),
    bytes,
  ]);
  return deriveKey("croupier 2026-11 chance of a match", concat(id, seed, ...given));
}

/** The choice below a bound that the next words of a stream give. */
export function choose(words: Iterator<number, unknown>, bound: number): number {
  const next = () => {
    const { value, done } = words.next();
    require(!done && typeof value === "number", "the stream has an end");
    return BigInt(value) * BigInt(bound);
  };
  const low = (wide: bigint) => Number(wide & 0xffff_ffffn);
  let wide = next();
  if (low(wide) < bound) {
    const floor = (2 ** 32 - bound) % bound;
    while (low(wide) < floor) wide = next();
  }
  return Number(wide >> 32n);
}

const NAME = /^matches\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The 16 bytes of the UUID in a match's name. */
export function matchId(name: string): Uint8Array {
  require(NAME.test(name), `${quoted(name)} is not the name of a match`);
  return unhex(name.slice(8).replaceAll("-", ""), 16);
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{0,5}[1-9]))?Z$/;

/** Microseconds since 1970. */
export function micros(text: string): bigint {
  const found = TIME.exec(text);
  require(found, `${quoted(text)} is not a time`);
  const ms = Date.parse(`${text.slice(0, 19)}.000Z`);
  // A nonexistent day or hour becomes NaN or another time. None is before 1970.
  const isReal = ms >= 0 && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
  require(isReal, `${quoted(text)} is not a time`);
  return BigInt(ms) * 1000n + BigInt((found[7] ?? "").padEnd(6, "0"));
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let n = 0; n < Math.min(a.length, b.length); n += 1) {
    const difference = (a[n] ?? 0) - (b[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
