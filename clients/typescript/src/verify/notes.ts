/** Signed notes and checkpoints of transparency logs, as C2SP defines them. */

import { concat, hex, require, unbase64, utf8, Wrong } from "./bytes.js";
import { isSigned } from "./ed25519.js";
import { sha256 } from "./sha2.js";

/** The types of Ed25519 signatures: of the text alone, and of the text and a time. */
const PLAIN = 1;
const TIMED = 4;

const SIGNATURES_MAX = 64;

/** The log whose statement follows another is found within so many steps. */
const LOGS_MAX = 100;

const SUCCESSION = "croupier log succession v1\n";

/** The key of a log, from the text that C2SP calls *vkey*. */
export interface VerifierKey {
  readonly name: string;
  readonly key: Uint8Array;
}

/** The size and the hash of a log's tree. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** A checkpoint that its log signed. */
export interface Signed extends Checkpoint {
  /** When, in seconds since 1970, as the log says. */
  readonly time: number | undefined;
  readonly note: string;
}

interface Note {
  readonly text: string;
  readonly lines: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** That a log ended with a checkpoint, and which one follows. */
export interface Succession {
  readonly last: Checkpoint;
  readonly next: string;
  readonly note: string;
}

export function verifierKey(vkey: string): VerifierKey {
  const [name = "", id, ...rest] = vkey.trim().split("+");
  const bytes = unbase64(rest.join("+"));
  const kind = bytes[0];
  const key = bytes.subarray(1);
  const isKey = isName(name) && key.length === 32 && (kind === PLAIN || kind === TIMED);
  require(isKey && hex(keyId(name, kind, key)) === id, "it is not the verifier key of a log");
  return { name, key };
}

function keyId(name: string, kind: number, key: Uint8Array): Uint8Array {
  return sha256(utf8(`${name}\n`), Uint8Array.of(kind), key).subarray(0, 4);
}

function isName(name: string): boolean {
  return /^[^\p{White_Space}+]+$/u.test(name);
}

function parseNote(note: string): Note {
  const at = note.lastIndexOf("\n\n");
  const isNote = at >= 0 && note.endsWith("\n") && !/[\0-\x09\x0b-\x1f]/.test(note);
  require(isNote, "it is not a signed note");
  const lines = note.slice(at + 2, -1).split("\n").map((line) => {
    const [, name = "", signature = ""] = /^— ([^ ]*) (.*)$/.exec(line) ?? [];
    const bytes = unbase64(signature);
    require(isName(name) && bytes.length > 4, "it is not a signed note");
    return { name, bytes };
  });
  require(lines.length <= SIGNATURES_MAX, "it is not a signed note");
  return { text: note.slice(0, at + 1), lines };
}

function signatures(note: Note, { name, key }: VerifierKey, kind: number): Uint8Array[] {
  const id = hex(keyId(name, kind, key));
  const of = note.lines.filter((it) => it.name === name && hex(it.bytes.subarray(0, 4)) === id);
  return of.map(({ bytes }) => bytes.subarray(4));
}

/** Throws unless the key signed the text of the note. */
function verifyNote(note: Note, key: VerifierKey): void {
  const found = signatures(note, key, PLAIN);
  require(found.length > 0, `the key ${key.name} did not sign it`);
  const isRight = found.every((it) => isSigned(key.key, utf8(note.text), it));
  require(isRight, `its signature by ${key.name} is wrong`);
}

/** The latest time with which the key signed the text. */
function timeOf(note: Note, key: VerifierKey): number | undefined {
  const times = signatures(note, key, TIMED).map((bytes) => {
    const wrong = `its signature by ${key.name} is wrong`;
    require(bytes.length === 72, wrong);
    const time = Number(new DataView(bytes.slice(0, 8).buffer).getBigUint64(0));
    const text = utf8(`cosignature/v1\ntime ${time}\n${note.text}`);
    const isRight = Number.isSafeInteger(time) && isSigned(key.key, text, bytes.subarray(8));
    require(isRight, wrong);
    return time;
  });
  return times.length > 0 ? Math.max(...times) : undefined;
}

function parseCheckpoint(text: string): Checkpoint {
  const [origin = "", size = "", root = "", ...rest] = text.slice(0, -1).split("\n");
  const isWhole = text.endsWith("\n") && origin !== "" && rest.every((it) => it !== "");
  require(isWhole && /^(0|[1-9]\d*)$/.test(size), "it is not a checkpoint");
  require(unbase64(root).length === 32, "it is not a checkpoint");
  // Larger trees than JavaScript can count do not exist.
  require(Number.isSafeInteger(Number(size)), "it is not a checkpoint");
  return { origin, size: Number(size), root };
}

/** The checkpoint of a note. Throws unless the log with this key signed it. */
export function signedCheckpoint(text: string, key: VerifierKey): Signed {
  const note = parseNote(text);
  verifyNote(note, key);
  const time = timeOf(note, key);
  const checkpoint = parseCheckpoint(note.text);
  require(checkpoint.origin === key.name, `it is a checkpoint of ${checkpoint.origin}`);
  return { ...checkpoint, time, note: text };
}

/** The size that a note names, whoever signed it; `undefined` if it is not a checkpoint. */
export function statedSize(note: string): number | undefined {
  try {
    return parseCheckpoint(parseNote(note).text).size;
  } catch (error) {
    if (error instanceof Wrong) return undefined;
    throw error;
  }
}

/** The logs that follow the one with this key, by statements one after the other. */
export function follow(key: VerifierKey, statements: string): Succession[] {
  const texts = statements.split(SUCCESSION).slice(1).map((it) => SUCCESSION + it);
  const followed: Succession[] = [];
  for (let of = key; followed.length < LOGS_MAX;) {
    const next = texts.map((text) => succession(text, of)).find((it) => it !== undefined);
    if (!next) break;
    followed.push(next);
    of = verifierKey(next.next);
  }
  return followed;
}

function succession(text: string, old: VerifierKey): Succession | undefined {
  try {
    const note = parseNote(text);
    verifyNote(note, old);
    const rest = note.text.slice(SUCCESSION.length);
    const next = rest.slice(0, rest.indexOf("\n"));
    const last = parseCheckpoint(rest.slice(next.length + 1));
    require(last.origin === old.name, `it is a checkpoint of ${last.origin}`);
    verifyNote(note, verifierKey(next));
    return { last, next, note: text };
  } catch (error) {
    if (error instanceof Wrong) return undefined;
    throw error;
  }
}

// === Trees (RFC 6962) ===

const HASHES_MAX = 63;

/** Hashes, a line of base64 each; `undefined` for anything else. */
export function parseHashes(lines: readonly string[]): Uint8Array[] | undefined {
  try {
    const hashes = lines.map(unbase64);
    const isProof = hashes.length <= HASHES_MAX && hashes.every((it) => it.length === 32);
    return isProof ? hashes : undefined;
  } catch (error) {
    if (error instanceof Wrong) return undefined;
    throw error;
  }
}

export function leafHash(leaf: Uint8Array): Uint8Array {
  return sha256(Uint8Array.of(0), leaf);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concat(Uint8Array.of(1), left, right));
}

/** The first leaves of the parts whose hashes are in a proof, in its order, and of what is left. */
function path(
  size: number,
  isBefore: (middle: number) => boolean,
  isDone: (from: number, end: number) => boolean,
): { starts: number[]; from: number } {
  const starts: number[] = [];
  let [from, end] = [0, size];
  while (!isDone(from, end)) {
    let half = 1;
    while (2 * half < end - from) half *= 2;
    const middle = from + half;
    if (isBefore(middle)) {
      starts.push(middle);
      end = middle;
    } else {
      starts.push(from);
      from = middle;
    }
  }
  return { starts: starts.reverse(), from };
}

/** Whether the proof shows that the tree has the leaf at this index. */
export function isIncluded(
  index: number,
  { size, root }: Checkpoint,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (index >= size) return false;
  const { starts } = path(size, (middle) => index < middle, (from, end) => end - from <= 1);
  if (starts.length !== proof.length) return false;
  const whole = starts.reduce((node, start, n) => {
    const hash = proof[n] ?? node;
    return start > index ? nodeHash(node, hash) : nodeHash(hash, node);
  }, leaf);
  return hex(whole) === hex(unbase64(root));
}

/** Whether the proof shows that the larger tree continues the smaller one. */
export function isContinued(
  old: Checkpoint,
  now: Checkpoint,
  proof: readonly Uint8Array[],
): boolean {
  if (old.size > now.size) return false;
  const [before, after] = [unbase64(old.root), unbase64(now.root)];
  if (old.size === 0) return proof.length === 0 && hex(before) === hex(sha256());
  if (old.size === now.size) return proof.length === 0 && hex(before) === hex(after);
  const isLeft = (middle: number) => old.size <= middle;
  const { starts, from } = path(now.size, isLeft, (_, end) => end === old.size);
  // The smaller tree is a full subtree of the larger one, or the first hash is one of both.
  if (from !== 0) starts.unshift(from);
  if (starts.length !== proof.length) return false;
  const first = from === 0 ? before : (proof[0] ?? before);
  let [ofOld, ofNew] = [first, first];
  for (let n = from === 0 ? 0 : 1; n < proof.length; n += 1) {
    const hash = proof[n] ?? first;
    if ((starts[n] ?? 0) < old.size) {
      ofOld = nodeHash(hash, ofOld);
      ofNew = nodeHash(hash, ofNew);
    } else ofNew = nodeHash(ofNew, hash);
  }
  return hex(ofOld) === hex(before) && hex(ofNew) === hex(after);
}
