/**
 * Verification of Ed25519 signatures (RFC 8032). Nothing here is secret, so constant time is not
 * needed; pages that are not served over TLS have no Web Crypto.
 */

import { sha512 } from "./sha2.js";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

/** In extended coordinates: x/z and y/z, with t = xy/z. They need no inverse at each step. */
type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];
const ZERO: Point = [0n, 1n, 1n, 0n];

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
  const [x, y, z] = multiply(base(), s);
  const [x1, y1, z1] = add(point, multiply(owner, h));
  return mod(x * z1 - x1 * z) === 0n && mod(y * z1 - y1 * z) === 0n;
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
  const signed = x % 2n === sign ? x : P - x;
  return [signed, y, 1n, mod(signed * y)];
}

function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = (y1 - x1) * (y2 - x2);
  const b = (y1 + x1) * (y2 + x2);
  const c = mod(2n * D * t1) * t2;
  const d = 2n * z1 * z2;
  const [e, f, g, h] = [mod(b - a), mod(d - c), mod(d + c), mod(b + a)];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
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
