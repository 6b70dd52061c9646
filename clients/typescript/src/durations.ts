import type { Duration } from "@bufbuild/protobuf/wkt";
import { durationFromMs } from "@bufbuild/protobuf/wkt";

/** A duration in the form of the contract, as in `timeControl: { perDecision: seconds(30) }`. */
export function seconds(count: number): Duration {
  return milliseconds(count * 1000);
}

/** A duration in the form of the contract. */
export function milliseconds(count: number): Duration {
  return durationFromMs(count);
}
