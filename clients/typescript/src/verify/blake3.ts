/** BLAKE3 (https://github.com/BLAKE3-team/BLAKE3-specs), with digests of 32 bytes. */

import { QUARTERS } from "./chacha8.js";

const IV = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

const CHUNK = 1024;
const BLOCK = 64;

const CHUNK_START = 1;
const CHUNK_END = 2;
const PARENT = 4;
const ROOT = 8;
const KEYED_HASH = 16;
const DERIVE_KEY_CONTEXT = 32;
const DERIVE_KEY_MATERIAL = 64;

/** By round: the words of the block, in the order in which the mixing takes them. */
const SCHEDULE: readonly (readonly number[])[] = (() => {
  const rounds = [Array.from({ length: 16 }, (_, n) => n)];
  while (rounds.length < 7) rounds.push(PERMUTATION.map((n) => rounds.at(-1)?.[n] ?? 0));
  return rounds;
})();

/** The hash of the bytes. */
export function hash(bytes: Uint8Array): Uint8Array {
  return digest(bytes, IV, 0);
}

/** The keyed hash of the bytes; the key has 32 bytes. */
export function keyedHash(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return digest(bytes, wordsOf(key, 0, 32, 8), KEYED_HASH);
}

/** The key for a purpose, which the context names, that follows from the material. */
export function deriveKey(context: string, material: Uint8Array): Uint8Array {
  const key = digest(new TextEncoder().encode(context), IV, DERIVE_KEY_CONTEXT);
  return digest(material, wordsOf(key, 0, 32, 8), DERIVE_KEY_MATERIAL);
}

/** A node of the tree that is not compressed yet, since the root is compressed differently. */
interface Node {
  value: Uint32Array;
  block: Uint32Array;
  counter: number;
  length: number;
  flags: number;
}

function digest(bytes: Uint8Array, key: Uint32Array, mode: number): Uint8Array {
  const subtrees: Uint32Array[] = [];
  const chunks = Math.max(1, Math.ceil(bytes.length / CHUNK));
  let node = chunkNode(bytes, 0, key, mode);
  for (let chunk = 1; chunk < chunks; chunk += 1) {
    let value = compress(node).subarray(0, 8);
    // Merges two subtrees of equal size, as the number of chunks so far requires.
    for (let total = chunk; total % 2 === 0; total /= 2) {
      value = compress(parentNode(subtrees.pop() ?? IV, value, key, mode)).subarray(0, 8);
    }
    subtrees.push(value);
    node = chunkNode(bytes, chunk, key, mode);
  }
  for (let left = subtrees.pop(); left; left = subtrees.pop()) {
    node = parentNode(left, compress(node).subarray(0, 8), key, mode);
  }
  node.flags |= ROOT;
  const words = compress({ ...node, counter: 0 });
  const bytesOut = new Uint8Array(32);
  const view = new DataView(bytesOut.buffer);
  for (let n = 0; n < 8; n += 1) view.setUint32(4 * n, words[n] ?? 0, true);
  return bytesOut;
}

function chunkNode(bytes: Uint8Array, chunk: number, key: Uint32Array, mode: number): Node {
  const end = Math.min(bytes.length, (chunk + 1) * CHUNK);
  let value = key;
  let flags = mode | CHUNK_START;
  for (let at = chunk * CHUNK; ; at += BLOCK) {
    const length = Math.min(BLOCK, end - at);
    const block = wordsOf(bytes, at, length, 16);
    const node = { value, block, counter: chunk, length, flags };
    if (at + BLOCK >= end) return { ...node, flags: flags | CHUNK_END };
    value = compress(node).subarray(0, 8);
    flags = mode;
  }
}

function parentNode(left: Uint32Array, right: Uint32Array, key: Uint32Array, mode: number): Node {
  const block = new Uint32Array(16);
  block.set(left.subarray(0, 8), 0);
  block.set(right.subarray(0, 8), 8);
  return { value: key, block, counter: 0, length: BLOCK, flags: mode | PARENT };
}

function compress({ value, block, counter, length, flags }: Node): Uint32Array {
  const state = new Uint32Array(16);
  state.set(value.subarray(0, 8), 0);
  state.set(IV.subarray(0, 4), 8);
  state[12] = counter;
  state[13] = counter / 2 ** 32;
  state[14] = length;
  state[15] = flags;
  for (const order of SCHEDULE) {
    for (let n = 0; n < 8; n += 1) {
      const [a, b, c, d] = QUARTERS[n] as (typeof QUARTERS)[number];
      mix(state, a, b, c, d, block[order[2 * n] ?? 0] ?? 0, 16, 12);
      mix(state, a, b, c, d, block[order[2 * n + 1] ?? 0] ?? 0, 8, 7);
    }
  }
  for (let n = 0; n < 8; n += 1) state[n] = (state[n] ?? 0) ^ (state[n + 8] ?? 0);
  return state;
}

function mix(
  state: Uint32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  word: number,
  turnD: number,
  turnB: number,
): void {
  const x = ((state[a] ?? 0) + (state[b] ?? 0) + word) | 0;
  state[a] = x;
  const w = (state[d] ?? 0) ^ x;
  const turned = (w >>> turnD) | (w << (32 - turnD));
  state[d] = turned;
  const z = ((state[c] ?? 0) + turned) | 0;
  state[c] = z;
  const y = (state[b] ?? 0) ^ z;
  state[b] = (y >>> turnB) | (y << (32 - turnB));
}

/** Bytes as words, filled up with zeros. */
function wordsOf(bytes: Uint8Array, from: number, length: number, count: number): Uint32Array {
  const words = new Uint32Array(count);
  for (let n = 0; n < length; n += 1) {
    words[n >> 2] = (words[n >> 2] ?? 0) | ((bytes[from + n] ?? 0) << (8 * (n & 3)));
  }
  return words;
}
