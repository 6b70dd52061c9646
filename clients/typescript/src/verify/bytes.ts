/** Bytes and texts, each with a unique encoding. */

/** Why a record, a receipt or an input is invalid. */
export class Wrong extends Error {
  /** Says why. */
  constructor(message: string) {
    super(message);
    this.name = "Wrong";
  }
}

export function require(holds: unknown, reason: string): asserts holds {
  if (!holds) throw new Wrong(reason);
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of bytes, which must be in UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Wrong("it is not a text in UTF-8");
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

/** Checks that a number fits a signed integer of `bits` bits. */
export function within(value: number, bits: 16 | 32): number {
  require(value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1), `${value} is too large`);
  return value;
}

/**
 * Parses JSON in which no object has a field twice, since programs differ in which one they read.
 */
export function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Wrong("it is not JSON");
  }
  const objects: (Set<string> | undefined)[] = [];
  // Valid JSON consists of these tokens and others that do not matter.
  for (const [token, key] of text.matchAll(
    /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs,
  )) {
    if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (key !== undefined) {
      const name: string = JSON.parse(key);
      const names = objects.at(-1);
      require(!names?.has(name), `the field ${quoted(name)} is there twice`);
      names?.add(name);
    }
  }
  return value;
}
