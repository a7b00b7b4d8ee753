import { previewValue } from "../text.js";
import { countKeyMarks, scanJson, unquote } from "./tokens.js";
import type { ValueMeasure } from "./value.js";

/** A JSON text, and what is known of its value. */
export interface MeasuredText {
  /** Valid JSON. */
  readonly text: string;
  /** Measurements of the parsed value. */
  readonly measure: ValueMeasure;
}

/** Something in a JSON text that parsing hides, so that readers differ in what they make of it. */
export interface TextFault {
  readonly pointer: string;
  /** From 1, in UTF-16 code units of the text. */
  readonly column: number;
  /** A message without the position, safe on a terminal. */
  readonly message: string;
}

/**
 * Finds keys that an object has twice: most readers silently keep the last value, some keep the first, and others
 * reject the text (RFC 8259, section 4). Keys are compared after unescaping.
 */
export function findDuplicateKeys({ text, measure }: MeasuredText): readonly TextFault[] {
  // If the text has no more keys than the parsed value, nothing was overwritten.
  if (countKeyMarks(text) === measure.keys) return [];
  const keys = new Map<object, Set<string>>();
  const faults: TextFault[] = [];
  for (const { kind, start, end, owner, pointer } of scanJson(text)) {
    if (kind !== "key") continue;
    const key = unquote(text.slice(start, end));
    const seen = keys.get(owner);
    if (seen === undefined) keys.set(owner, new Set([key]));
    else if (seen.size === seen.add(key).size) {
      const message = `a second value under the key ${previewValue(key)}`;
      faults.push({ pointer: pointer(), column: start + 1, message });
    }
  }
  return faults;
}

/** Digits of the largest safe integer, 2^53 - 1. Integers with fewer digits are safe. */
const DIGITS = String(Number.MAX_SAFE_INTEGER).length;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

const INTEGER = /^-?\d+$/;

/**
 * Finds integers beyond 2^53 - 1, which JavaScript rounds and Python keeps. Numbers with a point or an exponent are the
 * same double in both languages.
 */
export function findUnsafeIntegers({ text, measure }: MeasuredText): readonly TextFault[] {
  // An unsafe integer is still out of range after rounding.
  if (measure.largest <= Number.MAX_SAFE_INTEGER) return [];
  const faults: TextFault[] = [];
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
}

function shorten(number: string): string {
  return number.length <= 40 ? number : `${number.slice(0, 40)}…`;
}

/** An escaped surrogate without its other half. After a backslash, the match may be a false positive. */
const LONE_ESCAPE =
  /\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!(?<!\\)\\u[dD][89abAB]..\\u[dD])[c-fC-F])/;

/** An unpaired surrogate in a string. */
const LONE = /\p{Surrogate}/u;

/**
 * Finds escapes of lone surrogates, which are no characters: Python cannot encode them as UTF-8, JavaScript writes
 * U+FFFD instead. In a UTF-8 text, only an escape can produce one.
 */
export function findLoneSurrogates({ text }: Pick<MeasuredText, "text">): readonly TextFault[] {
  if (!text.includes("\\u") || !LONE_ESCAPE.test(text)) return [];
  const faults: TextFault[] = [];
  for (const { kind, start, end, pointer } of scanJson(text)) {
    if (kind === "number") continue;
    const lone = LONE.exec(unquote(text.slice(start, end)))?.[0];
    if (lone === undefined) continue;
    const code = lone.charCodeAt(0).toString(16).toUpperCase();
    const what = kind === "key" ? "its key holds" : "holds";
    const message = `${what} a lone surrogate: U+${code}`;
    faults.push({ pointer: pointer(), column: start + 1, message });
  }
  return faults;
}
