import type { Span } from "./detector.js";

/**
 * Not within a word; but what JSON, a shell or a URL escapes before it (`\n`, `\u003d`, `%3D`) is none. For the
 * beginning of a pattern.
 */
export const BOUNDARY = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4})|(?<=%[0-9A-Fa-f]{2}))`;

export interface Search {
  /** A global pattern that never matches more than a bounded number of characters. */
  readonly pattern: RegExp;
  /** A sticky pattern for the rest of a match, of one character class that is repeated. */
  readonly rest?: RegExp;
}

/** Where a pattern matches: its group `secret` where it has one. Needs the flag `d` for that. */
export function findMatches(text: string, { pattern, rest }: Search): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
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
