/** Stored entries, in the unique canonical encoding of their protobuf message. */

import { require, textOf } from "./bytes.js";

const EVENTS = 4;
const PROMPTS = 5;
const FIELD_MAX = 7;

/** The parts of a stored entry that a verifier needs. */
export interface Body {
  seat: number | undefined;
  verb: string;
  /** Each event: the number of its kind, and its content. */
  events: Field[];
  /** The version of the game's rules; 0 in entries of earlier releases. */
  rules: number;
  choices: { bound: number; value: number }[];
}

/** A field of a message: its number, and a number or bytes. */
export interface Field {
  number: number;
  value: number | Uint8Array;
}

/** Refuses bytes that are not the canonical encoding of an entry. */
export function decodeBody(bytes: Uint8Array): Body {
  const body: Body = { seat: undefined, verb: "", events: [], rules: 0, choices: [] };
  let last = 0;
  for (const { number, value } of fieldsOf(bytes)) {
    require(number <=
      FIELD_MAX, `its body has a field ${number}: it was recorded by a later release`);
    const isInOrder =
      number > last || (number === last && (number === EVENTS || number === PROMPTS));
    require(isInOrder, "its body is not in the canonical encoding");
    last = number;
    if (typeof value === "number") {
      require(number === 1 ||
        (number === 6 && value !== 0), "its body is not in the canonical encoding");
      if (number === 1) body.seat = value;
      else body.rules = value;
      continue;
    }
    const mayBeEmpty = number !== 2 && number !== 7;
    const isMeant = number !== 1 && number !== 6 && (mayBeEmpty || value.length > 0);
    require(isMeant, "its body is not in the canonical encoding");
    if (number === 2) body.verb = textOf(value);
    if (number === EVENTS) {
      const [event, ...more] = fieldsOf(value);
      require(event && more.length === 0, "its body has an event of no kind, or of two");
      body.events.push(event);
    }
    if (number === 7) body.choices = choicesOf(value);
  }
  require(body.rules < 2 ** 32, "its body is not an entry");
  return body;
}

/** Each field's number and value. */
export function fieldsOf(bytes: Uint8Array): Field[] {
  const reader = new Reader(bytes);
  const fields: Field[] = [];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    const number = Math.floor(tag / 8);
    const type = tag % 8;
    require(type === 0 || type === 2, "its body is not an entry");
    const value = reader.varint();
    fields.push({ number, value: type === 0 ? value : reader.take(value) });
  }
  return fields;
}

function choicesOf(packed: Uint8Array): Body["choices"] {
  const reader = new Reader(packed);
  const choices: Body["choices"] = [];
  while (!reader.isAtEnd) {
    const bound = reader.varint();
    require(!reader.isAtEnd, "its body is not an entry");
    choices.push({ bound, value: reader.varint() });
  }
  return choices;
}

class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** A number below 2^64, inexact above 2^53, where no number of an entry is. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.bytes[this.#at++];
      require(byte !== undefined, "its body is not an entry");
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) {
        const isShortest = byte !== 0 || shift === 0;
        require(isShortest &&
          (shift < 63 || byte < 2), "its body is not in the canonical encoding");
        return value;
      }
    }
    require(false, "its body is not an entry");
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    require(end <= this.bytes.length, "its body is not an entry");
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
