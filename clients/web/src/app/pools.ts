import { ClockClass } from "@croupier/client/v1";

/** The classes of clocks, by the name in addresses and words. */
export const CLOCKS = {
  untimed: ClockClass.UNTIMED,
  blitz: ClockClass.BLITZ,
  live: ClockClass.LIVE,
  daily: ClockClass.DAILY,
} as const;

/** The name of a class of clocks; without clocks if this page does not know it. */
export function clocksOf(clockClass: ClockClass): keyof typeof CLOCKS {
  const names = Object.keys(CLOCKS) as (keyof typeof CLOCKS)[];
  return names.find((name) => CLOCKS[name] === clockClass) ?? "untimed";
}
