import type { EvalText } from "./create-eval-corpus.js";

/** What a task shares with one text of the evaluation set; all lengths in tokens. */
export interface Overlap {
  readonly text: EvalText;
  /** Corpus position of the first shared window, and its width. */
  readonly first: number;
  readonly width: number;
  /** Tokens of the text that lie in a shared window. */
  readonly covered: number;
  /** The longest run of such tokens. */
  readonly longestSpan: number;
}

/**
 * The overlaps that the shared windows add up to, in order of the corpus. `texts` are in order of
 * `start`, none of them empty; `positions` are the corpus positions of all shared windows, ascending,
 * without repetition; `n` is the window's width, and a shorter text is one window.
 */
export function measureOverlaps(
  texts: readonly EvalText[],
  positions: Int32Array,
  n: number,
): Overlap[] {
  const overlaps: Overlap[] = [];
  let from = 0;
  while (from < positions.length) {
    const text = textAt(texts, positions[from] ?? 0);
    if (text === undefined) break;
    let to = from + 1;
    while (to < positions.length && (positions[to] ?? 0) < text.end) to += 1;
    overlaps.push(measure(text, positions.subarray(from, to), n));
    from = to;
  }
  return overlaps;
}

function measure(text: EvalText, positions: Int32Array, n: number): Overlap {
  const width = Math.min(n, text.end - text.start);
  const first = positions[0] ?? text.start;
  let covered = 0;
  let longestSpan = 0;
  let runStart = first;
  let runEnd = first;
  for (const position of positions) {
    if (position > runEnd) {
      runStart = position;
      runEnd = position;
    }
    covered += position + width - runEnd;
    runEnd = position + width;
    longestSpan = Math.max(longestSpan, runEnd - runStart);
  }
  return { text, first, width, covered, longestSpan };
}

/** The text that holds the token at `position`, by bisection. */
function textAt(texts: readonly EvalText[], position: number): EvalText | undefined {
  let low = 0;
  let high = texts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((texts[middle]?.start ?? 0) <= position) low = middle;
    else high = middle;
  }
  return texts[low];
}
