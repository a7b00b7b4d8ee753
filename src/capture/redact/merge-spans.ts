import type { Span } from "./detectors/detector.js";

export interface NamedSpan extends Span {
  readonly id: string;
}

/** All that was found, in order. What overlaps is one, and called as the longest part of it is. */
export function mergeSpans(found: readonly NamedSpan[]): NamedSpan[] {
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
