import { findMatches, type Span } from "./detectors/detector.js";
import type { RedactOptions } from "./redact.js";

/** Minimum length of a known value, in UTF-16 code units: shorter ones occur in too many words. */
export const MIN_VALUE_LENGTH = 6;

/** Finds given secrets in texts and among numbers. */
export interface KnownValues {
  /** Length of the longest value. */
  readonly reach: number;
  mayFind(text: string): boolean;
  find(text: string): readonly Span[];
}

/** Reads the given values before each record, and rebuilds the search if they have changed. */
export function createKnownValues(given: RedactOptions["values"] = []): () => KnownValues {
  const read = typeof given === "function" ? given : () => given;
  // An iterator yields its values only once.
  const fixed = typeof given === "function" ? undefined : readLongEnough(read());
  let latest = prepare(fixed ?? []);
  return () => {
    if (fixed !== undefined) return latest.search;
    const values = readLongEnough(read());
    const isSame =
      values.length === latest.values.length &&
      values.every((value, index) => value === latest.values[index]);
    if (!isSame) latest = prepare(values);
    return latest.search;
  };
}

function readLongEnough(values: Iterable<unknown>): string[] {
  return [...values].filter((value): value is string => {
    return typeof value === "string" && value.length >= MIN_VALUE_LENGTH;
  });
}

function prepare(values: readonly string[]): { values: readonly string[]; search: KnownValues } {
  const written = new Map(values.flatMap((value) => writtenForms(value).map((as) => [as, value])));
  // Longer values first: one may be a prefix of another.
  const alternatives = [...written.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(alternatives.map(escapePattern).join("|"), "g");
  const find = (text: string): readonly Span[] =>
    alternatives.length === 0
      ? []
      : findMatches(text, { pattern }).map(({ start, end }) => {
          const found = text.slice(start, end);
          return { start, end, secret: written.get(found) ?? found };
        });
  const reach = alternatives[0]?.length ?? 1;
  return { values, search: { reach, mayFind: () => alternatives.length > 0, find } };
}

/** The value as is, as quoted JSON writes it, and as URLs write it. */
function writtenForms(value: string): string[] {
  // A lone surrogate cannot be encoded in a URL.
  const urlForm = /\p{Cs}/u.test(value) ? [] : [encodeURIComponent(value)];
  return [value, JSON.stringify(value).slice(1, -1), ...urlForm];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
