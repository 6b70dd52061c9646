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
