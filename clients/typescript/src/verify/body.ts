/** Stored entries, in the unique canonical encoding of their protobuf message. */

import { require, textOf } from "./bytes.js";
import { SEATS_MAX } from "./digests.js";
import type { RecordedContribution } from "./outcome.js";

const SEAT = 1;
const VERB = 2;
const EVENTS = 4;
const PROMPTS = 5;
const RULES = 6;
const CHOICES = 7;
const PLAYERS = 8;

const CONTRIBUTED = 18;
const ENDINGS = [15, 25];
const REPLACED = 26;

/** What an entry has at most; those of the service have far less. */
const EVENTS_MAX = 10_000;
const PROMPTS_MAX = 1_000;
const CHOICES_MAX = 10_000;

const CANONICAL = "its body is not in the canonical encoding";
const NO_ENTRY = "its body is not an entry";
const NO_CONTRIBUTION = "a contribution is not one of 16 to 32 bytes";
const NO_PLAYER =
  "its commitments to players are not of 32 bytes, one a seat, in the order of seats";

/** The parts of a stored entry that a verifier needs. */
export interface Body {
  seat: number | undefined;
  verb: string;
  /** The version of the game's rules; 0 if there is none. */
  rules: number;
  choices: { bound: number; value: number }[];
  /** The contributions at the start. */
  contributions: RecordedContribution[];
  /** Whether a contribution follows another event. */
  hasLateContribution: boolean;
  /** The seat whose player is replaced, if its first event says so. */
  replaced: number | undefined;
  /** The commitments to players, by seat. */
  players: Map<number, Uint8Array>;
  /** Whether it ends the match. */
  ends: boolean;
}

/** A field of a message: its number, and a number or bytes. */
interface Field {
  number: number;
  value: number | Uint8Array;
}

/** Refuses bytes that are not the canonical encoding of an entry. */
export function decodeBody(bytes: Uint8Array): Body {
  const body: Body = {
    seat: undefined,
    verb: "",
    rules: 0,
    choices: [],
    contributions: [],
    hasLateContribution: false,
    replaced: undefined,
    players: new Map(),
    ends: false,
  };
  let [last, events, prompts] = [0, 0, 0];
  for (const { number, value } of fieldsOf(bytes)) {
    const repeats = [EVENTS, PROMPTS, PLAYERS].includes(number);
    check(number > last || (number === last && repeats), CANONICAL);
    check(number <= PLAYERS, `its body has a field ${number}: it was recorded by a later release`);
    last = number;
    if (typeof value === "number") {
      check(number === SEAT || (number === RULES && value !== 0), CANONICAL);
      check(number === SEAT || value < 2 ** 32, NO_ENTRY);
      if (number === SEAT) body.seat = value;
      else body.rules = value;
      continue;
    }
    const mayBeEmpty = number !== VERB && number !== CHOICES;
    const isMeant = number !== SEAT && number !== RULES && (mayBeEmpty || value.length > 0);
    check(isMeant, CANONICAL);
    if (number === VERB) body.verb = textOf(value, "BODY_INVALID");
    else if (number === EVENTS) takeEvent(body, value, (events += 1));
    else if (number === PROMPTS) prompts += 1;
    else if (number === CHOICES) body.choices = choicesOf(value);
    else if (number === PLAYERS) takePlayer(body, value);
  }
  check(events <= EVENTS_MAX, `its body has ${events} events, and an entry at most ${EVENTS_MAX}`);
  check(
    prompts <= PROMPTS_MAX,
    `its body has ${prompts} prompts, and an entry at most ${PROMPTS_MAX}`,
  );
  return body;
}

/** Takes over an event; `count` is the number of events with it. */
function takeEvent(body: Body, bytes: Uint8Array, count: number): void {
  const fields = fieldsOf(bytes);
  const event = fields.next().value;
  check(event && fields.next().done, "its body has an event of no kind, or of two");
  body.ends ||= ENDINGS.includes(event.number);
  if (event.number === REPLACED && count === 1) {
    check(typeof event.value === "number", NO_ENTRY);
    body.replaced = event.value;
  }
  if (event.number !== CONTRIBUTED) return;
  if (body.contributions.length + 1 === count) body.contributions.push(contributionOf(event));
  else body.hasLateContribution = true;
}

function contributionOf({ value: held }: Field): RecordedContribution {
  require(typeof held !== "number", NO_CONTRIBUTION, "CONTRIBUTION_INVALID");
  const found: RecordedContribution = { seat: 0, bytes: new Uint8Array(), afterCommitment: false };
  let last = 0;
  for (const { number, value } of fieldsOf(held)) {
    const isMeant =
      number > last &&
      (number === 2
        ? typeof value !== "number"
        : (number === 1 && value !== 0 && typeof value === "number") ||
          (number === 3 && value === 1));
    require(isMeant, NO_CONTRIBUTION, "CONTRIBUTION_INVALID");
    last = number;
    if (typeof value !== "number") found.bytes = value;
    else if (number === 1) found.seat = value;
    else found.afterCommitment = true;
  }
  const isRight = found.bytes.length >= 16 && found.bytes.length <= 32 && found.seat < SEATS_MAX;
  require(isRight, NO_CONTRIBUTION, "CONTRIBUTION_INVALID");
  return found;
}

/** Takes over a commitment to a player. */
function takePlayer({ players }: Body, bytes: Uint8Array): void {
  let [seat, last] = [0, 0];
  let commitment: Uint8Array = new Uint8Array();
  for (const { number, value } of fieldsOf(bytes)) {
    check(number > last && number <= 2, NO_PLAYER);
    last = number;
    if (typeof value === "number") {
      check(number === 1 && value !== 0, NO_PLAYER);
      seat = value;
    } else {
      check(number === 2, NO_PLAYER);
      commitment = value;
    }
  }
  const isNext = seat > Math.max(-1, ...players.keys()) && seat < SEATS_MAX;
  check(isNext && commitment.length === 32, NO_PLAYER);
  players.set(seat, commitment);
}

function choicesOf(packed: Uint8Array): Body["choices"] {
  const reader = new Reader(packed);
  const choices: Body["choices"] = [];
  while (!reader.isAtEnd) {
    const bound = reader.varint();
    const value = reader.varint();
    const what = `its choice ${choices.length + 1}`;
    const isBelow = value < bound && bound < 2 ** 32;
    require(isBelow, `${what} is ${value}, which is not below ${bound}`, "CHOICE_INVALID");
    choices.push({ bound, value });
  }
  const count = choices.length;
  check(count <= CHOICES_MAX, `its body has ${count} choices, and an entry at most ${CHOICES_MAX}`);
  return choices;
}

/** Each field's number and value. */
function* fieldsOf(bytes: Uint8Array): Generator<Field, undefined, undefined> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    // The lowest bits, which a large number loses.
    const type = reader.next & 7;
    const number = Math.floor(reader.varint() / 8);
    const value = reader.varint();
    check(type === 0 || type === 2, NO_ENTRY);
    yield { number, value: type === 0 ? value : reader.take(value) };
  }
}

class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** The next byte. */
  get next(): number {
    return this.bytes[this.#at] ?? 0;
  }

  /** A number below 2^64, inexact above 2^53, where no number of an entry is. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.bytes[this.#at++];
      check(byte !== undefined, NO_ENTRY);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        const isShortest = byte !== 0 || shift === 0;
        check(isShortest && (shift < 63 || byte < 2), CANONICAL);
        return value;
      }
    }
    return check(false, NO_ENTRY);
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    check(end <= this.bytes.length, NO_ENTRY);
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function check(holds: false, reason: string): never;
function check(holds: unknown, reason: string): asserts holds;
function check(holds: unknown, reason: string): void {
  require(holds, reason, "BODY_INVALID");
}
