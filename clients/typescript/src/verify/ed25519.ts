/**
 * Verification of Ed25519 signatures (RFC 8032). Nothing here is secret, so constant time is not
 * needed; pages that are not served over TLS have no Web Crypto.
 */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

type Point = readonly [x: bigint, y: bigint];
const ZERO: Point = [0n, 1n];

/** Whether the signature of the message is by this public key. */
export function isSigned(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  const owner = decode(key);
  const point = decode(signature.subarray(0, 32));
  const s = number(signature.subarray(32));
  if (!owner || !point || s >= ORDER) return false;
  const signed = new Uint8Array(64 + message.length);
  signed.set(signature.subarray(0, 32), 0);
  signed.set(key, 32);
  signed.set(message, 64);
  const h = number(sha512(signed)) % ORDER;
  const [x, y] = multiply(base(), s);
  const [x1, y1] = add(point, multiply(owner, h));
  return x === x1 && y === y1;
}

function base(): Point {
  const y = mod(4n * inverse(5n));
  const bytes = Uint8Array.from({ length: 32 }, (_, n) => Number((y >> BigInt(8 * n)) & 255n));
  return decode(bytes) ?? ZERO;
}

/** The point of 32 bytes; `undefined` if they are not a point. */
function decode(bytes: Uint8Array): Point | undefined {
  const all = number(bytes);
  const y = all % 2n ** 255n;
  const sign = all >> 255n;
  if (y >= P) return undefined;
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x) !== square) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x) !== square || (sign === 1n && x === 0n)) return undefined;
  return [x % 2n === sign ? x : P - x, y];
}

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = mod(D * x1 * x2 * y1 * y2);
  const x = mod((x1 * y2 + x2 * y1) * inverse(1n + product));
  const y = mod((y1 * y2 + x1 * x2) * inverse(1n - product));
  return [x, y];
}

function multiply(point: Point, times: bigint): Point {
  let total = ZERO;
  for (let left = times; left > 0n; left >>= 1n) {
    if (left & 1n) total = add(total, point);
    point = add(point, point);
  }
  return total;
}

function mod(a: bigint): bigint {
  const rest = a % P;
  return rest < 0n ? rest + P : rest;
}

function power(a: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let left = exponent, factor = mod(a); left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * factor);
    factor = mod(factor * factor);
  }
  return result;
}

/** By Euclid's algorithm; 0 for 0. */
function inverse(a: bigint): bigint {
  let [r, next, t, nextT] = [P, mod(a), 0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return r === 1n ? mod(t) : 0n;
}

/** Little endian. */
function number(bytes: Uint8Array): bigint {
  return bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

// === SHA-512 (FIPS 180-4) ===

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

let constants: { start: bigint[]; rounds: bigint[] } | undefined;

function sha512(bytes: Uint8Array): Uint8Array {
  constants ??= {
    start: PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n)),
    rounds: PRIMES.slice(0, 80).map((prime) => fraction(prime, 3n)),
  };
  const padded = new Uint8Array(Math.ceil((bytes.length + 17) / 128) * 128);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const turn = (word: bigint, by: bigint) => ((word >> by) | (word << (64n - by))) & WORD;
  let state = constants.start.slice();
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
      const t1 = h + s1 + ((e & f) ^ (~e & WORD & g)) + (constants.rounds[n] ?? 0n) + (w[n] ?? 0n);
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
