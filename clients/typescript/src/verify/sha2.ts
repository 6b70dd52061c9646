/** SHA-256 and SHA-512 (FIPS 180-4): pages that are not served over TLS have no Web Crypto. */

import { concat } from "./bytes.js";

const WORD = (1n << 64n) - 1n;
const PRIMES = Array.from({ length: 410 }, (_, n) => BigInt(n)).filter((n) => {
  if (n < 2n) return false;
  for (let d = 2n; d * d <= n; d += 1n) if (n % d === 0n) return false;
  return true;
});

/**
 * The first 64 bits of the fractional part of a prime's root, which define the constants of FIPS
 * 180-4.
 */
function fraction(prime: bigint, degree: bigint): bigint {
  const shifted = prime << (64n * degree);
  let low = 0n;
  let high = prime << 64n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** degree <= shifted) low = middle;
    else high = middle - 1n;
  }
  return low & WORD;
}

interface Constants {
  start: bigint[];
  rounds: bigint[];
}

let constants: Constants | undefined;

/** The constants of SHA-512. Those of SHA-256 are their upper halves. */
function constantsOf(): Constants {
  constants ??= {
    start: PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n)),
    rounds: PRIMES.slice(0, 80).map((prime) => fraction(prime, 3n)),
  };
  return constants;
}

export function sha512(bytes: Uint8Array): Uint8Array {
  const { start, rounds } = constantsOf();
  const padded = new Uint8Array(Math.ceil((bytes.length + 17) / 128) * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const turn = (word: bigint, by: bigint) => ((word >> by) | (word << (64n - by))) & WORD;
  let state = start.slice();
  for (let at = 0; at < padded.length; at += 128) {
    const w = Array.from({ length: 16 }, (_, n) => view.getBigUint64(at + 8 * n));
    for (let n = 16; n < 80; n += 1) {
      const [x, y] = [w[n - 15] ?? 0n, w[n - 2] ?? 0n];
      const s0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
      const s1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
      w.push(((w[n - 16] ?? 0n) + s0 + (w[n - 7] ?? 0n) + s1) & WORD);
    }
    let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = state;
    for (let n = 0; n < 80; n += 1) {
      const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
      const t1 = h + s1 + ((e & f) ^ (~e & WORD & g)) + (rounds[n] ?? 0n) + (w[n] ?? 0n);
      const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) & WORD, c, b, a, (t1 + t2) & WORD];
    }
    const mixed = [a, b, c, d, e, f, g, h];
    state = state.map((word, n) => (word + (mixed[n] ?? 0n)) & WORD);
  }
  const digest = new Uint8Array(64);
  const out = new DataView(digest.buffer);
  state.forEach((word, n) => out.setBigUint64(8 * n, word));
  return digest;
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const { start, rounds } = constantsOf();
  const upper = (word: bigint) => Number(word >> 32n) | 0;
  const bytes = concat(...parts);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));
  const k = rounds.slice(0, 64).map(upper);
  let state = start.map(upper);
  for (let at = 0; at < padded.length; at += 64) {
    const w = Array.from({ length: 16 }, (_, n) => view.getInt32(at + 4 * n));
    for (let n = 16; n < 64; n += 1) {
      const [x, y] = [w[n - 15] ?? 0, w[n - 2] ?? 0];
      const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
      const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
      w.push(((w[n - 16] ?? 0) + s0 + (w[n - 7] ?? 0) + s1) | 0);
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let n = 0; n < 64; n += 1) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const t1 = h + s1 + ((e & f) ^ (~e & g)) + (k[n] ?? 0) + (w[n] ?? 0);
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    const mixed = [a, b, c, d, e, f, g, h];
    state = state.map((word, n) => (word + (mixed[n] ?? 0)) | 0);
  }
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, n) => out.setInt32(4 * n, word));
  return digest;
}
