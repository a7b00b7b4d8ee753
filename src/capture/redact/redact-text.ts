import { type DetectorGroup, findInWindow, WINDOW } from "./find-in-window.js";
import { mergeSpans, type NamedSpan } from "./merge-spans.js";
import { PLACEHOLDER, type PlaceholderOf } from "./placeholders.js";
import type { Meter, Walk } from "./walk.js";

/** How often what is left of a text is looked at again; it is taken out as a whole after that. */
const MAX_DEPTH = 8;
const PLACEHOLDERS = new RegExp(`(${PLACEHOLDER.source})`);

export interface TextRedaction {
  readonly groups: readonly DetectorGroup[];
  readonly placeholderOf: PlaceholderOf;
  readonly meter: Meter;
}

/**
 * A text without what the detectors find. Placeholders that stand in it stay, and nothing is found across
 * them, so that what is redacted once is redacted for good: what is left is looked at until nothing is found.
 */
export function* redactText(text: string, redaction: TextRedaction): Walk<string> {
  if (!text.includes("[redacted:")) return yield* redactPlain(text, 0, redaction);
  let result = "";
  for (const [index, part] of text.split(PLACEHOLDERS).entries()) {
    // Plain text and placeholders in turn.
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

/** Whether nothing but placeholders is left, and words that are no secret. */
export function isRedacted(text: string): boolean {
  if (!text.includes("[redacted:")) return false;
  const rest = text.split(new RegExp(PLACEHOLDER, "g")).join("");
  return /^\s*(?:bearer|basic|token|apikey|digest|bot)?\s*$/i.test(rest);
}
