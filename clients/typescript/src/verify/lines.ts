/** The lines of a file of records, and their checks. */

import { hash } from "./blake3.js";
import { concat, field, hex, isObject, parsePlain, require, textOf, utf8 } from "./bytes.js";

/** The most bytes of a line, with its line feed, and of the lines of a match together. */
export const LINE_MAX = 2 ** 20;
export const MATCH_MAX = 2 ** 26;

/** The beginnings of lines, which tell their kinds before they are parsed. */
export const CROUPIER = '{"croupier":';
export const MATCH = '{"match":';
export const END = '{"end":';

const HEADER = /^\{"croupier":\{"version":(\d*)/;
const KIND = /^\{"(croupier|match|entry|end)":/;
const CHECK = /^,"check":"([^]{16})"\}\n$/;
const CHECK_LENGTH = 29;
const LINE_FEED = 10;

/** A line that was read: its kind, its content, and its check. */
export interface Line {
  kind: string;
  held: unknown;
  check: string;
}

/** The lines of a file, with their line feeds. Of lines that are too long there may be less. */
export function* linesOf(record: string | Uint8Array | Iterable<string>): Generator<Uint8Array> {
  if (record instanceof Uint8Array) {
    for (let at = 0; at < record.length;) {
      const end = record.indexOf(LINE_FEED, at);
      const next = end < 0 ? record.length : end + 1;
      yield record.subarray(at, next);
      at = next;
    }
  } else if (typeof record === "string") {
    for (let at = 0; at < record.length;) {
      const end = record.indexOf("\n", at);
      const next = end < 0 ? record.length : end + 1;
      yield utf8(record.slice(at, Math.min(next, at + LINE_MAX + 1)));
      at = next;
    }
  } else {
    for (const line of record) yield* linesOf(`${line}\n`);
  }
}

/** Whether a line begins with these ASCII characters. */
export function begins(line: Uint8Array, text: string): boolean {
  return ascii(line.subarray(0, text.length)) === text;
}

/**
 * Checks the first line of a file, or a header between two matches. The version comes first, so
 * that a later version may change everything else.
 */
export function checkHeader(line: Uint8Array): void {
  const none = "it is not a file of records: its first line is not a header";
  const version = HEADER.exec(ascii(line.subarray(0, 99)))?.[1];
  require(version !== undefined, none, "NOT_A_RECORD");
  const isWhole = line.at(-1) === LINE_FEED && line.length <= LINE_MAX;
  require(isWhole, "it was cut off in the middle of this line", "LINE_CUT");
  require(version !== "", none, "NOT_A_RECORD");
  const unknown = `it has version ${version}; this release knows version 1`;
  require(version === "1", unknown, "VERSION_UNKNOWN");
  const { held } = readLine(line, "");
  field(held, "version", "number");
}

/** Checks that a line is neither too long nor cut off. */
export function checkWhole(line: Uint8Array): void {
  require(line.length <= LINE_MAX, `it has more than ${LINE_MAX} bytes`, "LINE_TOO_LONG");
  const isWhole = line.at(-1) === LINE_FEED;
  require(isWhole, "it was cut off in the middle of this line", "LINE_CUT");
}

/** Reads a whole line whose check follows from the one of the line before. */
export function readLine(line: Uint8Array, before: string): Line {
  const stated = CHECK.exec(ascii(line.subarray(-CHECK_LENGTH)))?.[1];
  const none = "it has no check, so it is not a line of a file of records";
  require(stated !== undefined, none, "CHECK_MISSING");
  const bare = concat(line.subarray(0, -CHECK_LENGTH), utf8("}"));
  const isFirst = begins(bare, CROUPIER) || begins(bare, MATCH);
  const check = hex(hash(concat(utf8(isFirst ? "" : before), bare))).slice(0, 16);
  const why = "its check is wrong: the line was altered, or lines before it are missing";
  require(check === stated, why, "CHECK_WRONG");
  const text = textOf(bare);
  const kind = KIND.exec(text)?.[1];
  require(kind !== undefined, "it is of no kind that a file of records has");
  const object = parsePlain(text);
  require(isObject(object) && Object.keys(object).length === 1, "it is not one field");
  return { kind, held: object[kind], check };
}

/** Some bytes as characters, which are right if they are ASCII. */
function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
