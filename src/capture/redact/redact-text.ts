import type { Detector, Span } from "./detectors/detector.js";
import { PLACEHOLDER, type PlaceholderOf } from "./placeholders.js";

/** How often what is left of a text is looked at again; it is taken out as a whole after that. */
const MAX_DEPTH = 8;
const PLACEHOLDERS = new RegExp(`(${PLACEHOLDER.source})`);

interface NamedSpan extends Span {
  readonly id: string;
}

/**
 * A text without what the detectors find. Placeholders that stand in it stay, and nothing is found across
 * them, so that what is redacted once is redacted for good: what is left is looked at until nothing is found.
 */
export function redactText(
  text: string,
  detectors: readonly Pick<Detector, "id" | "find">[],
  placeholderOf: PlaceholderOf,
): string {
  const redactPlain = (plain: string, depth: number): string => {
    const spans = plain === "" ? [] : findSpans(plain, detectors);
    if (spans.length === 0) return plain;
    if (depth === MAX_DEPTH) return placeholderOf("text", plain);
    let [result, end] = ["", 0];
    for (const span of spans) {
      result += redactPlain(plain.slice(end, span.start), depth + 1);
      result += placeholderOf(span.id, span.secret ?? plain.slice(span.start, span.end));
      end = span.end;
    }
    return result + redactPlain(plain.slice(end), depth + 1);
  };
  return splitByPlaceholders(text)
    .map((part, index) => (index % 2 === 0 ? redactPlain(part, 0) : part))
    .join("");
}

/** Plain text and placeholders in turn. */
function splitByPlaceholders(text: string): string[] {
  return text.includes("[redacted:") ? text.split(PLACEHOLDERS) : [text];
}

/** Whether nothing but placeholders is left, and words that are no secret. */
export function isRedacted(text: string): boolean {
  if (!text.includes("[redacted:")) return false;
  const rest = text.split(new RegExp(PLACEHOLDER, "g")).join("");
  return /^\s*(?:bearer|basic|token|apikey|digest|bot)?\s*$/i.test(rest);
}

/** All that is found, in order. What overlaps is one, and called as the longest part of it is. */
function findSpans(text: string, detectors: readonly Pick<Detector, "id" | "find">[]): NamedSpan[] {
  const found = detectors.flatMap(({ id, find }) => find(text).map((span) => ({ ...span, id })));
  const spans: NamedSpan[] = [];
  // The sort is stable: of equal ones the first detector's comes first.
  for (const span of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = spans.at(-1);
    if (last === undefined || span.start >= last.end) spans.push(span);
    else if (span.end > last.end) {
      const { id } = lengthOf(span) > lengthOf(last) ? span : last;
      spans[spans.length - 1] = { start: last.start, end: span.end, id };
    }
  }
  return spans;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}
