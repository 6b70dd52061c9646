// Plays matches by random legal actions, as a bot without a plan would.

/** Numbers from 0 to 1 that are the same in each run. */
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let it = Math.imul(state ^ (state >>> 15), state | 1);
    it ^= it + Math.imul(it ^ (it >>> 7), it | 61);
    return ((it ^ (it >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function oneOf(items, random) {
  return items[Math.floor(random() * items.length)];
}
