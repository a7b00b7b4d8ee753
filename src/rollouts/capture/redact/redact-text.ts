import { groupBy } from "../../../base/group-by.js";
import type { Detector, Span } from "./detectors/detector.js";
import { type Meter, PLACEHOLDER, type PlaceholderOf, TURN, type Walk } from "./redact.js";

/** How often the rest of a text is searched again. After that, the rest is redacted as a whole. */
const MAX_DEPTH = 8;
const PLACEHOLDERS = new RegExp(`(${PLACEHOLDER.source})`);

export interface TextRedaction {
  readonly groups: readonly DetectorGroup[];
  readonly placeholderOf: PlaceholderOf;
  readonly meter: Meter;
}

/**
 * Redacts everything that the detectors find in a text. Existing placeholders are kept, and no match spans one.
 * The rest is searched until nothing more is found, so that redaction is idempotent.
 */
export function* redactText(text: string, redaction: TextRedaction): Walk<string> {
  if (!text.includes("[redacted:")) return yield* redactPlain(text, 0, redaction);
  let result = "";
  for (const [index, part] of text.split(PLACEHOLDERS).entries()) {
    // Plain text and placeholders alternate.
    result += index % 2 === 0 ? yield* redactPlain(part, 0, redaction) : part;
  }
  return result;
}

function* redactPlain(plain: string, depth: number, redaction: TextRedaction): Walk<string> {
  const { placeholderOf } = redaction;
  const spans = plain === "" ? [] : yield* findSpans(plain, redaction);
  if (spans.length === 0) return plain;
  if (depth === MAX_DEPTH) return placeholderOf("text", plain);
  let [result, end] = ["", 0];
  for (const span of spans) {
    result += yield* redactPlain(plain.slice(end, span.start), depth + 1, redaction);
    result += placeholderOf(span.id, span.secret ?? plain.slice(span.start, span.end));
    end = span.end;
  }
  return result + (yield* redactPlain(plain.slice(end), depth + 1, redaction));
}

function* findSpans(text: string, { groups, meter }: TextRedaction): Walk<NamedSpan[]> {
  const found: NamedSpan[] = [];
  for (let from = 0; from < text.length; ) {
    const { spans, next } = findInWindow(text, from, groups);
    for (const span of spans) found.push(span);
    if (meter.spend(Math.min(text.length - from, WINDOW))) yield;
    from = next;
  }
  return mergeSpans(found);
}

/** Tells whether only placeholders and plain words are left. */
export function isRedacted(text: string): boolean {
  if (!text.includes("[redacted:")) return false;
  const rest = text.split(new RegExp(PLACEHOLDER, "g")).join("");
  return /^\s*(?:bearer|basic|token|apikey|digest|bot)?\s*$/i.test(rest);
}

/** Number of characters that are searched at once. */
export const WINDOW = TURN;
/** How far before a secret its context can begin. The longest context is the user name of a URL. */
const BEFORE = 512;
/** How far a secret can extend, unless its detector says otherwise: a quoted value has up to 4,096 characters. */
const REACH = 4608;
/** Limit of the search for the end of a secret. */
const MAX_REACH = 1_048_576;
/**
 * A match that ends this close to the end of the searched text may continue: a line of a truncated key has at
 * least 16 characters.
 */
const NEAR = 32;

export type TextDetector = Omit<Detector, "purpose" | "certain">;

/** Detectors that share a cheap first test. */
export interface DetectorGroup extends Pick<Detector, "mayFind"> {
  readonly members: readonly TextDetector[];
}

export function groupDetectors(detectors: readonly TextDetector[]): DetectorGroup[] {
  const groups = groupBy(detectors, ({ mayFind }) => mayFind);
  return [...groups].map(([mayFind, members]) => ({ mayFind, members }));
}

export interface WindowSearch {
  readonly spans: readonly NamedSpan[];
  /** Start of the next window. */
  readonly next: number;
}

/** Finds the secrets that begin within one window of a text. */
export function findInWindow(
  text: string,
  from: number,
  groups: readonly DetectorGroup[],
): WindowSearch {
  const to = from + WINDOW;
  const spans: NamedSpan[] = [];
  const part = partOf(text, from, to + REACH);
  for (const { mayFind, members } of groups) {
    if (!mayFind(part)) continue;
    for (const detector of members) spans.push(...findFrom(text, from, detector));
  }
  const furthest = spans.reduce((end, span) => Math.max(end, span.end), 0);
  return { spans, next: Math.max(to, furthest - BEFORE) };
}

function findFrom(
  text: string,
  from: number,
  { id, find, reach: firstReach = REACH }: TextDetector,
): NamedSpan[] {
  const to = from + WINDOW;
  const begin = Math.max(0, from - BEFORE);
  for (let reach = firstReach; ; reach *= 2) {
    const end = Math.min(text.length, to + reach);
    const spans = find(partOf(text, from, end))
      .map((span) => ({ ...span, id, start: begin + span.start, end: begin + span.end }))
      .filter(({ start }) => start >= from && start < to);
    const isWhole = end === text.length || reach >= MAX_REACH;
    if (isWhole || spans.every((span) => span.end <= end - NEAR)) return spans;
  }
}

function partOf(text: string, from: number, end: number): string {
  return from === 0 && end >= text.length ? text : text.slice(Math.max(0, from - BEFORE), end);
}

export interface NamedSpan extends Span {
  readonly id: string;
}

/** Merges overlapping spans, in order. A merged span gets the kind of its longest part. */
export function mergeSpans(found: readonly NamedSpan[]): NamedSpan[] {
  const spans: NamedSpan[] = [];
  // The sort is stable: among equal spans, the first detector's comes first.
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
