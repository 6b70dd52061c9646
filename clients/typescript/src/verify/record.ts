/** Verifies the lines of a file of records, one after another. */

import { hash } from "./blake3.js";
import { decodeBody, fieldsOf, type Body, type Field } from "./body.js";
import {
  field,
  hex,
  isObject,
  optional,
  parse,
  quoted,
  require,
  unbase64,
  unhex,
  utf8,
  Wrong,
} from "./bytes.js";
import { words } from "./chacha8.js";
import {
  chanceKey,
  choose,
  creationDigest,
  digestKey,
  entryDigest,
  matchId,
  micros,
  type Contribution,
} from "./digests.js";
import type { ReceiptStatement } from "./receipt.js";

const HEADER = /^\{"croupier":\{"version":(\d+)/;
const CHECK = /^,"check":"([0-9a-f]{16})"\}$/;
const CHECK_LENGTH = 28;

const CONTRIBUTED = 18;
const ENDINGS = [15, 25];

/** The outcome for one match. */
export interface VerifiedMatch {
  /** The match, as `matches/{match}`. */
  readonly match: string;
  /** The number of its entries. */
  readonly entries: number;
  /** The number of its random choices. */
  readonly choices: number;
  /** Whether everything that a record can show was verified. */
  readonly isVerified: boolean;
  /** Whether it is still running. */
  readonly isUnderWay: boolean;
  /** Whether seats contributed to its chance. */
  readonly isShared: boolean;
  /** Whether an earlier release recorded some of it, without choices. */
  readonly isOfEarlierRules: boolean;
  /** Whether the record has its seed, without which neither digests nor choices can be computed. */
  readonly hasSeed: boolean;
  /** The number of entries without a digest. */
  readonly withoutDigest: number;
  /** The commitment to its seed, in hexadecimal. */
  readonly seedCommitment: string;
  /** The contributions of its seats. */
  readonly contributions: readonly Contribution[];
  /** The digest of its last entry, in hexadecimal. */
  readonly digest: string;
}

/** An error in a record, and its place. */
export interface Failure {
  /** The match, as `matches/{match}`; empty outside of one. */
  readonly match: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The position in the match; absent outside of its entries. */
  readonly position: number | undefined;
  /** Why. */
  readonly reason: string;
}

/** The result of verifying a record. */
export interface Report {
  /** The matches, including invalid ones. */
  readonly matches: readonly VerifiedMatch[];
  /** The failures: at most one per match. */
  readonly failures: readonly Failure[];
  /** Whether there are no failures and every match was fully verified. */
  readonly isVerified: boolean;
}

/** Data kept from before and during the matches. */
export interface Kept {
  /** The match that the record must contain, as `matches/{match}`. */
  match?: string | undefined;
  /** The commitment to its seed, from `Match.seedCommitment` before the match began. */
  seedCommitment?: string | undefined;
  /** The contributions of one's own seats. */
  contributions?: readonly Contribution[] | undefined;
  /** Receipts, as `readReceipt` returns them. */
  receipts?: readonly ReceiptStatement[] | undefined;
}

/**
 * Verifies a record: every digest, the commitment, and every random choice, but not the rules of
 * the games. The record is the text of a file of records, or its lines without line feeds, as
 * `ReadRecord` sends them.
 */
export function verify(record: string | Iterable<string>, kept: Kept = {}): Report {
  const matches: VerifyingMatch[] = [];
  const failures: Failure[] = [];
  let match: VerifyingMatch | undefined;
  let isLost = false;
  let check = "";
  let number = 0;
  const fail = (
    error: unknown,
    position = match?.isWhole === false ? match.entries + 1 : undefined,
  ) => {
    if (!(error instanceof Wrong)) throw error;
    failures.push({ match: match?.name ?? "", line: number, position, reason: error.message });
  };
  const lines = typeof record === "string" ? linesOf(record) : withFeeds(record);
  for (const { text, isWhole } of lines) {
    number += 1;
    const isMatch = text.startsWith('{"match":');
    if (isLost && !isMatch) continue;
    if (isMatch && match && !match.isWhole && !isLost) {
      fail(new Wrong("it was cut off within this match"));
    }
    if (isMatch) [match, isLost] = [undefined, false];
    try {
      if (number === 1) checkHeader(text);
      require(isWhole, "it was cut off in the middle of this line");
      const { kind, held, check: next } = readLine(text, check);
      check = next;
      if (kind === "match" && !match) {
        match = new VerifyingMatch(held, kept);
        matches.push(match);
      } else if (match && !match.isWhole && kind === "entry") match.entry(held);
      else if (match && !match.isWhole && kind === "end") match.end(held);
      else {
        const isHeader = kind === "croupier" && (!match || match.isWhole);
        require(isHeader, `a line ${quoted(kind)} cannot be here`);
        require(field(held, "version", "number") === 1, "this part of it has another version");
      }
    } catch (error) {
      fail(error);
      isLost = true;
    }
  }
  number += 1;
  if (number === 1) fail(new Wrong("it is empty"));
  else if (match && !match.isWhole && !isLost) fail(new Wrong("it was cut off within this match"));
  for (const name of namesKept(kept)) {
    if (!matches.some((it) => it.name === name)) {
      match = undefined;
      fail(new Wrong(`there is no record of the match ${quoted(name)}`));
    }
  }
  const verified = matches.map((it) => it.result());
  const isVerified =
    failures.length === 0 && verified.length > 0 && verified.every((it) => it.isVerified);
  return { matches: verified, failures, isVerified };
}

/** Reads the record of a revealed match from the service, and verifies it. */
export async function verifyMatch(
  match: { readonly name: string; record(): Promise<readonly string[]> },
  kept: Omit<Kept, "match"> = {},
): Promise<Report> {
  return verify(await match.record(), { ...kept, match: match.name });
}

function namesKept({ match, receipts = [] }: Kept): Set<string> {
  return new Set([...(match === undefined ? [] : [match]), ...receipts.map((it) => it.match)]);
}

function checkHeader(text: string): void {
  const version = HEADER.exec(text)?.[1];
  require(version, "it is not a file of records: its first line is not a header");
  require(version === "1", `it has version ${Number(version)}; this release knows version 1`);
}

/** The kind and content of a line, if its check follows from the previous one. */
function readLine(text: string, before: string): { kind: string; held: unknown; check: string } {
  const stated = CHECK.exec(text.slice(-CHECK_LENGTH))?.[1];
  require(stated, "it has no check, so it is not a line of a file of records");
  const bare = `${text.slice(0, -CHECK_LENGTH)}}`;
  const kind = /^\{"([a-z]+)":/.exec(bare)?.[1] ?? "";
  const previous = kind === "croupier" || kind === "match" ? "" : before;
  const check = hex(hash(utf8(previous + bare))).slice(0, 16);
  require(check ===
    stated, "its check is wrong: the line was altered, or lines before it are missing");
  const line = parse(bare);
  const isOne = isObject(line) && Object.keys(line).length === 1 && Object.hasOwn(line, kind);
  require(isOne, "it is not one field");
  return { kind, held: line[kind], check };
}

/** A match whose lines are verified one after another. */
class VerifyingMatch {
  readonly name: string;
  readonly seats: number;
  readonly seedCommitment: string;
  entries = 0;
  isWhole = false;
  readonly #id: Uint8Array;
  readonly #seed: Uint8Array | undefined;
  readonly #digestKey: Uint8Array | undefined;
  readonly #kept: Kept;
  readonly #receipts: readonly ReceiptStatement[];
  #digest: Uint8Array;
  #chanceKey: Uint8Array | undefined;
  #contributions: Contribution[] = [];
  #choices = 0;
  #withoutDigest = 0;
  #isOfEarlierRules = false;
  #hasEnded = false;

  constructor(line: unknown, kept: Kept) {
    this.#digest = creationDigest(line);
    this.name = field(line, "name", "string");
    this.seats = field(line, "seats", "number");
    this.seedCommitment = field(line, "seed_commitment", "string");
    this.#id = matchId(this.name);
    this.#kept = kept;
    this.#receipts = (kept.receipts ?? []).filter((it) => it.match === this.name);
    const seed = optional(line, "seed", "string");
    this.#seed = seed === undefined ? undefined : unhex(seed, 32);
    if (this.#isKept) {
      const promised = kept.seedCommitment ?? this.seedCommitment;
      require(promised === this.seedCommitment, "its commitment is not the one that you kept");
    }
    if (this.#seed) {
      const commitment = hex(hash(this.#seed));
      require(commitment === this.seedCommitment, "the seed does not match its commitment");
      this.#digestKey = digestKey(this.#id, this.#seed);
    }
  }

  entry(line: unknown): void {
    const position = this.entries + 1;
    const stated = field(line, "position", "number");
    require(stated === position, `position ${position} is next, not ${stated}`);
    const stored = unbase64(field(line, "body", "string"));
    const body = decodeBody(stored);
    const seat = optional(line, "seat", "number");
    const isSame = seat === body.seat && field(line, "verb", "string") === body.verb;
    require(isSame, "its seat or verb differs from its body");
    require(seat === undefined ||
      (seat >= 0 && seat < this.seats), `the match has no seat ${seat}`);
    const digest = optional(line, "digest", "string");
    const mayLackDigest = body.rules === 0 && this.#withoutDigest === this.entries;
    require(digest !== undefined || mayLackDigest, "it has no digest");
    if (digest === undefined) this.#withoutDigest += 1;
    const createTime = field(line, "create_time", "string");
    const time = micros(createTime);
    if (this.#digestKey) {
      const requestId = optional(line, "request_id", "string");
      const entry = { position, time, seat, requestId, body: stored };
      this.#digest = entryDigest(this.#digestKey, this.#digest, entry);
      const isRight = digest === undefined || digest === hex(this.#digest);
      const why = "this entry, one before it, or what the match was created with was altered";
      require(isRight, `its digest is wrong: ${why}`);
    }
    for (const receipt of this.#receipts.filter((it) => it.position === position)) {
      const signed = receipt.digest === (digest ?? hex(this.#digest));
      require(signed && receipt.createTime === createTime, "it is not the entry of a receipt");
    }
    this.#contribute(position, body);
    this.#choose(body);
    this.#hasEnded ||= body.events.some((event) => ENDINGS.includes(event.number));
    this.#isOfEarlierRules ||= body.rules === 0;
    this.entries = position;
  }

  end(line: unknown): void {
    const name = field(line, "name", "string");
    require(name === this.name, `it ends another match than ${this.name}`);
    const counted = field(line, "entries", "number");
    require(counted === this.entries, `the match has ${this.entries} entries, not ${counted}`);
    const last = Math.max(0, ...this.#receipts.map((it) => it.position));
    require(last <= this.entries, `it was cut short: there is a receipt of its entry ${last}`);
    require(this.#seed ||
      !this.#hasEnded, "the match has ended, and its seed is not in the record");
    const isShared = this.entries > 0 || !this.#isKept || !this.#kept.contributions?.length;
    require(isShared, "it has no contributions, and you kept one");
    this.isWhole = true;
  }

  result(): VerifiedMatch {
    const isComplete = this.isWhole && this.#seed !== undefined;
    return {
      match: this.name,
      entries: this.entries,
      choices: this.#choices,
      isVerified: isComplete && this.#withoutDigest === 0 && !this.#isOfEarlierRules,
      isUnderWay: !this.#hasEnded,
      isShared: this.#contributions.length > 0,
      isOfEarlierRules: this.#isOfEarlierRules,
      hasSeed: this.#seed !== undefined,
      withoutDigest: this.#withoutDigest,
      seedCommitment: this.seedCommitment,
      contributions: this.#contributions,
      digest: hex(this.#digest),
    };
  }

  /** Whether the kept data belongs to this match. */
  get #isKept(): boolean {
    return this.#kept.match === undefined || this.#kept.match === this.name;
  }

  /** Contributions are only at the start of the first entry. */
  #contribute(position: number, { events, rules }: Body): void {
    const given = events.filter((event) => event.number === CONTRIBUTED);
    const mayBe = given.length === 0 || (position === 1 && rules > 0);
    require(mayBe, "contributions are only at the start of a match");
    const isFirst = events.slice(0, given.length).every((event) => event.number === CONTRIBUTED);
    require(isFirst, "its contributions do not come first");
    if (position > 1) return;
    this.#contributions = given.map(contributionOf);
    let least = 0;
    for (const { seat, bytes } of this.#contributions) {
      require(seat >= least && seat < this.seats, "its contributions are not one a seat");
      require(bytes.length > 0 && bytes.length <= 32, "a contribution is not of 1 to 32 bytes");
      least = seat + 1;
    }
    if (this.#seed) this.#chanceKey = chanceKey(this.#id, this.#seed, this.#contributions);
    for (const mine of this.#isKept ? (this.#kept.contributions ?? []) : []) {
      const found = this.#contributions.find((it) => it.seat === mine.seat);
      const isThere = found !== undefined && hex(found.bytes) === hex(mine.bytes);
      require(isThere, `the contribution of seat ${mine.seat} is not the one that you kept`);
    }
  }

  /** Each choice must follow from the stream of its entry. */
  #choose({ choices, rules }: Body): void {
    require(rules > 0 || choices.length === 0, "it has choices, but no version of the rules");
    const stream = this.#chanceKey && words(this.#chanceKey, this.#choices);
    choices.forEach(({ bound, value }, n) => {
      const isBelow = value < bound && bound < 2 ** 32;
      require(isBelow, `its choice ${n + 1} is ${value}, which is not below ${bound}`);
      const chosen = stream ? choose(stream, bound) : value;
      const where = `its choice ${n + 1}, below ${bound}`;
      require(value === chosen, `${where}, is ${value}; the seed gives ${chosen}`);
    });
    this.#choices += choices.length;
  }
}

function contributionOf({ value }: Field): Contribution {
  require(value instanceof Uint8Array, "its body is not an entry");
  const contribution: Contribution = { seat: 0, bytes: new Uint8Array() };
  for (const { number, value: held } of fieldsOf(value)) {
    if (number === 1 && typeof held === "number") contribution.seat = held;
    else if (number === 2 && typeof held !== "number") contribution.bytes = held;
    else throw new Wrong("its body is not an entry");
  }
  return contribution;
}

interface Line {
  text: string;
  /** Whether a line feed ends it. */
  isWhole: boolean;
}

function* linesOf(text: string): Generator<Line> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf("\n", at);
    yield { text: text.slice(at, end < 0 ? undefined : end), isWhole: end >= 0 };
    at = end < 0 ? text.length : end + 1;
  }
}

function* withFeeds(lines: Iterable<string>): Generator<Line> {
  for (const text of lines) yield { text, isWhole: true };
}
