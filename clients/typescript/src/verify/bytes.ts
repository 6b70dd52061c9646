/** Bytes and texts, each with a unique encoding. */

import type { Code } from "./outcome.js";

/** Why a record, a receipt or an input is invalid. */
export class Wrong extends Error {
  /** The code of the finding. */
  readonly code: Code;

  /** Says why. */
  constructor(message: string, code: Code = "LINE_INVALID") {
    super(message);
    this.name = "Wrong";
    this.code = code;
  }
}

export function require(holds: unknown, reason: string, code?: Code): asserts holds {
  if (!holds) throw new Wrong(reason, code);
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of bytes, which must be in UTF-8. */
export function textOf(bytes: Uint8Array, code?: Code): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Wrong("it is not a text in UTF-8", code);
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number in `bytes` bytes, little endian. */
export function little(value: number | bigint, bytes: 1 | 2 | 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true);
  return new Uint8Array(view.buffer, 0, bytes);
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function unhex(text: string, length: number): Uint8Array {
  const isHex = text.length === 2 * length && /^[0-9a-f]*$/.test(text);
  require(isHex, `${quoted(text)} is not ${length} bytes in hexadecimal`);
  return Uint8Array.from({ length }, (_, n) => Number.parseInt(text.slice(2 * n, 2 * n + 2), 16));
}

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL = `${STANDARD.slice(0, 62)}-_`;

/** The bytes of the standard alphabet with padding. */
export function unbase64(text: string): Uint8Array {
  require(text.length % 4 === 0, "it is not in base64");
  const bare = text.replace(/={1,2}$/, "");
  return decode(bare, STANDARD);
}

/** The bytes of the URL alphabet without padding. */
export function unbase64url(text: string): Uint8Array {
  return decode(text, URL);
}

function decode(text: string, alphabet: string): Uint8Array {
  const rest = text.length % 4;
  require(rest !== 1, "it is not in base64");
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const char of text) {
    const value = alphabet.indexOf(char);
    require(value >= 0, "it is not in base64");
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  // The unused bits must be 0, so that each byte string has one encoding.
  require((held & ((1 << bits) - 1)) === 0, "it is not in base64");
  return bytes;
}

/** The beginning of a text, for a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field of an object, which must have this type. */
export function field(of: unknown, name: string, type: "string"): string;
export function field(of: unknown, name: string, type: "number"): number;
export function field(of: unknown, name: string, type: "object"): Record<string, unknown>;
export function field(of: unknown, name: string, type: string): unknown {
  const value = optional(of, name, type as "string");
  require(value !== undefined, `"${name}" is missing or has a wrong type`);
  return value;
}

/** A field that may be absent or null. */
export function optional(of: unknown, name: string, type: "string"): string | undefined;
export function optional(of: unknown, name: string, type: "number"): number | undefined;
export function optional(
  of: unknown,
  name: string,
  type: "object",
): Record<string, unknown> | undefined;
export function optional(of: unknown, name: string, type: string): unknown {
  const value = isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  if (value === undefined || value === null) return undefined;
  const isRight =
    type === "object"
      ? isObject(value)
      : typeof value === type && (type !== "number" || Number.isSafeInteger(value));
  require(isRight, `"${name}" is missing or has a wrong type`);
  return value;
}

/** A whole number of an object, within bounds. */
export function integer(of: unknown, name: string, least: number, most: number): number {
  const value = field(of, name, "number");
  require(value >= least && value <= most, `"${name}" is not from ${least} to ${most}`);
  return value;
}

/** A whole number that may be absent or null. */
export function optionalInteger(
  of: unknown,
  name: string,
  least: number,
  most: number,
): number | undefined {
  return optional(of, name, "number") === undefined ? undefined : integer(of, name, least, most);
}

/** A list of an object. */
export function list(of: unknown, name: string): unknown[] {
  const value = isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  require(Array.isArray(value), `"${name}" is missing or has a wrong type`);
  return value;
}

/**
 * Parses JSON in which no object has a field twice, since programs differ in which one they read.
 */
export function parse(text: string): unknown {
  return parseWith(text, false);
}

/** Parses the JSON of a line: stricter than JSON, so that no two parsers read one differently. */
export function parsePlain(text: string): unknown {
  return parseWith(text, true);
}

const DEPTH_MAX = 32;
const COLON = /[ \t\r\n]*:/y;
const NUMBER = /-?\d[-+.\deE]*/y;

function parseWith(text: string, isPlain: boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Wrong("it is not JSON");
  }
  // It is valid, so that only tokens that matter need a look.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    if (char === '"') {
      const end = endOfText(text, at);
      const token = text.slice(at, end);
      COLON.lastIndex = end;
      const names = COLON.test(text) ? open.at(-1) : undefined;
      if (names || (isPlain && token.includes("\\"))) {
        const read: string = JSON.parse(token);
        require(!names?.has(read), `the field ${quoted(read)} is there twice`);
        names?.add(read);
        require(!isPlain || !/\p{Surrogate}/u.test(read), "it has a text that is not Unicode");
      }
      at = end;
      continue;
    }
    if (char === "{" || char === "[") {
      open.push(char === "{" ? new Set() : undefined);
      require(open.length <= DEPTH_MAX, `it nests deeper than ${DEPTH_MAX} levels`);
    } else if (char === "}" || char === "]") open.pop();
    else if (isPlain) {
      require(!" \t\r\n".includes(char), "it has white space");
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0];
      if (number !== undefined) {
        const isWhole = number.length <= 17 && /^-?\d+$/.test(number) && number !== "-0";
        const fits = isWhole && Number.isSafeInteger(Number(number));
        require(fits, `${quoted(number)} is not a whole number of at most 2^53 - 1`);
        at += number.length;
        continue;
      }
    }
    at += 1;
  }
  return value;
}

/** The index after a text of valid JSON that begins at `at`. */
function endOfText(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}
