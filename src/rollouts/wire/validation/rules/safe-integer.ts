import { findUnsafeIntegers } from "../../../../base/json/text-faults.js";
import type { LineRule } from "./rule.js";

/** JavaScript and Python would read different numbers. Store a 64-bit id as a string. */
export const safeInteger = {
  id: "safe-integer",
  purpose: "no integer is beyond 2^53 - 1, where JavaScript rounds and Python does not",
  scope: "line",
  check: (line) => findUnsafeIntegers(line),
} as const satisfies LineRule;
