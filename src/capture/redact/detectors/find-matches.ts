import type { Span } from "./detector.js";
import { isWordStart } from "./is-word-start.js";

export interface Search {
  /** A global pattern that never matches more than a bounded number of characters. */
  readonly pattern: RegExp;
  /** A sticky pattern for the rest of a match, of one character class that is repeated. */
  readonly rest?: RegExp;
  /**
   * Whether a match has to begin a word, which is cheaper to ask of a match than of every place in the text;
   * "bare" for what may begin with any letter, so that the `n` of `\n` is not taken for its first.
   */
  readonly wordStart?: boolean | "bare";
}

/** Where a pattern matches: its group `secret` where it has one. Needs the flag `d` for that. */
export function findMatches(text: string, { pattern, rest, wordStart = false }: Search): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (wordStart !== false && !isWordStart(text, match.index, wordStart === "bare")) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    const [start, matched] = match.indices?.groups?.secret ?? [match.index, pattern.lastIndex];
    const end = rest === undefined ? matched : endOf(text, matched, rest);
    spans.push({ start, end });
    pattern.lastIndex = Math.max(pattern.lastIndex, end);
  }
  return spans;
}

function endOf(text: string, start: number, rest: RegExp): number {
  rest.lastIndex = start;
  return rest.test(text) ? rest.lastIndex : start;
}
