/** ChaCha with 8 rounds, with 64 bits of block counter and 64 bits of stream number. */

/** The columns and diagonals that each round mixes, also in BLAKE3. */
export const QUARTERS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** The words of a stream, in order and without end. */
export function* words(key: Uint8Array, stream: number): Generator<number, never, undefined> {
  const start = new Uint32Array(16);
  // "expand 32-byte k"
  start.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  for (let n = 0; n < 8; n += 1) start[4 + n] = view.getUint32(4 * n, true);
  start[14] = stream;
  start[15] = stream / 2 ** 32;
  for (let block = 0; ; block += 1) {
    start[12] = block;
    start[13] = block / 2 ** 32;
    const state = start.slice();
    for (let half = 0; half < 4; half += 1) {
      for (const [a, b, c, d] of QUARTERS) quarter(state, a, b, c, d);
    }
    for (let n = 0; n < 16; n += 1) yield ((state[n] ?? 0) + (start[n] ?? 0)) >>> 0;
  }
}

function quarter(state: Uint32Array, a: number, b: number, c: number, d: number): void {
  add(state, a, b, d, 16);
  add(state, c, d, b, 12);
  add(state, a, b, d, 8);
  add(state, c, d, b, 7);
}

function add(state: Uint32Array, to: number, by: number, turned: number, bits: number): void {
  const sum = ((state[to] ?? 0) + (state[by] ?? 0)) | 0;
  state[to] = sum;
  const word = (state[turned] ?? 0) ^ sum;
  state[turned] = (word << bits) | (word >>> (32 - bits));
}
