import { EXIT, UserError } from "../user-error.js";
import {
  createEvalCorpus,
  type EvalItem,
  type EvalItemRef,
  type EvalText,
  type G3Finding,
  type G3Task,
} from "./corpus.js";
import { normaliseTokens } from "./tokens.js";
import { createWindowIndex } from "./windows.js";

/** Default number of words per n-gram. */
export const DEFAULT_N = 8;

export interface G3Options {
  /** Tokens per n-gram, from 1. Default 8. Use 13 for comparability with older work. */
  readonly n?: number;
}

/** The n-grams of an evaluation set, with which tasks are compared. */
export interface EvalIndex {
  readonly n: number;
  /** Number of items read, including `emptyItems`. */
  readonly itemCount: number;
  /** Items without a letter or digit. They match nothing, so a report must list or count them. */
  readonly emptyItems: readonly EvalItemRef[];
  /**
   * Tells whether the task shares an n-gram with any item. Linear in the text, regardless of the number of
   * matching items.
   */
  isContaminated(text: string): boolean;
  /**
   * Finds all items that share an n-gram with the task: one finding each, in item order, except that items with
   * equal tokens are adjacent. No match is omitted: if all items begin with the same phrase, each gets a
   * finding. Takes linear time in the text and the findings, plus sorting the positions of the shared n-grams
   * in the evaluation set (equal items counted once).
   */
  findOverlaps(task: G3Task): G3Finding[];
}

/**
 * Indexes the items once for any number of tasks. A match is the same n tokens in the same order. An item
 * shorter than n matches if all its tokens occur in that order.
 *
 * Building is linear in the items' texts and takes 14 to 20 bytes per token. Tokens are compared on every hash
 * hit, so there are no false positives. A task is scanned once for n and once for every distinct length of the
 * items shorter than n.
 *
 * Throws UserError: exit 2 if n is not a positive integer, exit 3 if no item has a token, since such a gate
 * would pass everything.
 */
export function createEvalIndex(
  evalItems: Iterable<EvalItem>,
  { n = DEFAULT_N }: G3Options = {},
): EvalIndex {
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new UserError(`n must be an integer of at least 1, is ${n}`, EXIT.usage);
  }
  const corpus = createEvalCorpus(evalItems);
  const { itemCount, emptyItems, texts, tokens, vocabulary } = corpus;
  if (texts.length === 0) {
    throw new UserError(
      `no evaluation item with a letter or digit among ${itemCount}: nothing to compare tasks with`,
    );
  }
  const windows = createWindowIndex(corpus, n);

  function tokensOf(text: string): Int32Array {
    return Int32Array.from(normaliseTokens(text), vocabulary.find);
  }

  /** Creates one finding for each item that has the overlapping text. */
  function toFindings(task: string, overlap: Overlap): G3Finding[] {
    const { text, first, width, covered, longestSpan } = overlap;
    const ngram = vocabulary.textOf(tokens.subarray(first, first + width));
    const overlapRatio = covered / (text.end - text.start);
    return text.items.map((evalItem) => ({ task, evalItem, ngram, overlapRatio, longestSpan }));
  }

  return {
    n,
    itemCount,
    emptyItems,
    isContaminated: (text) => windows.sharesWindow(tokensOf(text)),
    findOverlaps: ({ id, text }) =>
      measureOverlaps(texts, windows.sharedPositions(tokensOf(text)), n).flatMap((overlap) =>
        toFindings(id, overlap),
      ),
  };
}

/** The overlap of a task with one text of the evaluation set. All lengths are in tokens. */
interface Overlap {
  readonly text: EvalText;
  /** Corpus position of the first shared window, and its width. */
  readonly first: number;
  readonly width: number;
  /** Number of tokens of the text that are in a shared window. */
  readonly covered: number;
  /** The longest run of such tokens. */
  readonly longestSpan: number;
}

/**
 * Merges the shared windows into overlaps, in corpus order. `texts` are ordered by `start`, and none is empty.
 * `positions` are the corpus positions of all shared windows, ascending, without duplicates. `n` is the width
 * of a window; a shorter text is one window.
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

/** Finds the text that contains the token at `position`, by binary search. */
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

/**
 * The G3 gate in one call: yields every (task, evaluation item) pair that shares an n-gram, with tasks and
 * items in order. Tasks are streamed. There can be as many findings as tasks times items; to stop early or to
 * keep fewer, use `createEvalIndex` for each task.
 *
 * No tasks yield no findings, so a caller that reports a pass must count the tasks.
 *
 * Throws UserError as `createEvalIndex` does.
 */
export function validateG3(
  tasks: Iterable<G3Task>,
  evalItems: Iterable<EvalItem>,
  options: G3Options = {},
): G3Finding[] {
  const index = createEvalIndex(evalItems, options);
  const findings: G3Finding[] = [];
  for (const task of tasks) {
    for (const finding of index.findOverlaps(task)) findings.push(finding);
  }
  return findings;
}
