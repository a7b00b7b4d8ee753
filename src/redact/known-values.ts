import { findMatches, type Span } from "./detectors/detector.js";
import type { RedactOptions } from "./redact.js";

/** Shortest value that is looked for, in UTF-16 code units: shorter ones stand in half of all words. */
const MIN_LENGTH = 6;

/** Given secrets: where they stand in a text, and whether a number is one. */
export interface KnownValues {
  /** Length of the longest of them. */
  readonly reach: number;
  mayFind(text: string): boolean;
  find(text: string): readonly Span[];
}

/** Reads the given values, and prepares the search anew when they are no longer what they were. */
export function createKnownValues(given: RedactOptions["values"] = []): () => KnownValues {
  const read = typeof given === "function" ? given : () => given;
  // An iterator gives its values only once.
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
    return typeof value === "string" && value.length >= MIN_LENGTH;
  });
}

function prepare(values: readonly string[]): { values: readonly string[]; search: KnownValues } {
  const written = new Map(values.flatMap((value) => writtenForms(value).map((as) => [as, value])));
  // Longer ones first: one may begin with another.
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

/** As it is, as JSON has it within quotes, and as URLs have it. */
function writtenForms(value: string): string[] {
  // Half of a surrogate pair has no form in a URL.
  const urlForm = /\p{Cs}/u.test(value) ? [] : [encodeURIComponent(value)];
  return [value, JSON.stringify(value).slice(1, -1), ...urlForm];
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
