/** Round numbers for an axis, in about five steps, from below `least` to above `most`. */
export function ticks(least: number, most: number): number[] {
  const span = Math.max(most - least, 1e-9);
  const rough = span / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(least / step);
  const last = Math.ceil(most / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** The points of a line through these values, from the left to the right and as high as there is room. */
export function points(values: readonly number[], width: number, height: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const across = Math.max(values.length - 1, 1);
  const up = Math.max(most - least, 1e-9);
  return drawn(values.map((value, nth) => [nth / across, (value - least) / up]), width, height);
}

/** Points of a picture: each is so far to the right, and so far up, of 1. */
export function drawn(shares: readonly (readonly [number, number])[], width: number, height: number): string {
  const room = 2;
  const x = (share: number) => room + share * (width - 2 * room);
  const y = (share: number) => height - room - share * (height - 2 * room);
  return shares.map(([across, up]) => `${x(across).toFixed(1)},${y(up).toFixed(1)}`).join(" ");
}
