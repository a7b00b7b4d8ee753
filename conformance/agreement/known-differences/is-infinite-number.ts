import { resolvePointer } from "../../../src/json/pointer.js";
import type { LoneFault } from "./known-difference.js";

/** Keywords that judge a number. */
const KEYWORDS = ["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/** Whether the fault is about a number that JavaScript reads as infinity. */
export function isInfiniteNumber({ fault, record }: LoneFault): boolean {
  const value = resolvePointer(record, fault.pointer);
  const infinite = value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
  return infinite && KEYWORDS.includes(fault.keyword);
}
