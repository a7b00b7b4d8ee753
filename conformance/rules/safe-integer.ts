import { scanJson } from "../../src/records/scan-json.js";
import type { LineRule } from "./rule.js";

/** Digits of the largest safe integer, 2^53 - 1: what has fewer is safe. */
const DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const HALF = DIGITS / 2;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

const INTEGER = /^-?\d+$/;
const POINT = 0x2e;

/**
 * JavaScript rounds what Python keeps, so that the two would speak of different numbers: an id of 64 bits
 * belongs into a string. Numbers with a point or an exponent are the same double to both.
 */
export const safeInteger = {
  id: "safe-integer",
  purpose: "no integer is beyond 2^53 - 1, where JavaScript rounds and Python does not",
  scope: "line",
  check({ text }) {
    if (!hasLongInteger(text)) return [];
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

/** Whether so many digits follow each other, and no decimal point is beside them: of every such row one is hit. */
function hasLongInteger(text: string): boolean {
  for (let index = DIGITS - 1; index < text.length; index += DIGITS) {
    if (!isDigit(text.charCodeAt(index))) continue;
    // Half of the row, at least, stands on one side: most digits are let go here.
    const [before, after] = [text.charCodeAt(index - HALF), text.charCodeAt(index + HALF)];
    if (!isDigit(before) && !isDigit(after)) continue;
    let [start, end] = [index, index + 1];
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    if (end - start < DIGITS) continue;
    if (text.charCodeAt(start - 1) !== POINT && text.charCodeAt(end) !== POINT) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function shorten(number: string): string {
  return number.length <= 40 ? number : `${number.slice(0, 40)}…`;
}
