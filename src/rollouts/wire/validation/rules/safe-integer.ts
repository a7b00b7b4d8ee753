import { scanJson } from "../../../../base/json/tokens.js";
import type { LineRule } from "./rule.js";

/** Digits of the largest safe integer, 2^53 - 1. Integers with fewer digits are safe. */
const DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

const INTEGER = /^-?\d+$/;

/**
 * JavaScript rounds integers that Python keeps, so the two would read different numbers. Store a 64-bit id as a
 * string. Numbers with a point or an exponent are the same double in both languages.
 */
export const safeInteger = {
  id: "safe-integer",
  purpose: "no integer is beyond 2^53 - 1, where JavaScript rounds and Python does not",
  scope: "line",
  check({ text, measure }) {
    // An unsafe integer is still out of range after rounding.
    if (measure.largest <= Number.MAX_SAFE_INTEGER) return [];
    const faults = [];
    for (const { kind, start, end, pointer } of scanJson(text)) {
      if (kind !== "number" || end - start < DIGITS) continue;
      const number = text.slice(start, end);
      if (!INTEGER.test(number)) continue;
      const value = BigInt(number);
      if (value <= LARGEST && value >= -LARGEST) continue;
      const message = `integer beyond 2^53 - 1: ${shorten(number)} is read as ${Number(number)}`;
      faults.push({ pointer: pointer(), column: start + 1, message });
    }
    return faults;
  },
} as const satisfies LineRule;

function shorten(number: string): string {
  return number.length <= 40 ? number : `${number.slice(0, 40)}…`;
}
