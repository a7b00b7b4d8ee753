import { EXIT, UserError } from "../user-error.js";
import { createEvalCorpus } from "./create-eval-corpus.js";
import { createWindowIndex } from "./create-window-index.js";
import type { EvalItem, EvalItemRef, G3Finding, G3Task } from "./g3-finding.js";
import { measureOverlaps, type Overlap } from "./measure-overlaps.js";
import { normaliseTokens } from "./normalise-tokens.js";

/** Words per n-gram unless the caller says otherwise. */
export const DEFAULT_N = 8;

export interface G3Options {
  /** Tokens per n-gram, from 1; 8 by default, 13 for comparability with older work. */
  readonly n?: number;
}

/** The n-grams of an evaluation set, to hold tasks against. */
export interface EvalIndex {
  readonly n: number;
  /** Items read, those of `emptyItems` included. */
  readonly itemCount: number;
  /** Items without a letter or digit: they match nothing, so a report has to name or count them. */
  readonly emptyItems: readonly EvalItemRef[];
  /**
   * Whether the task shares an n-gram with any item. Linear in the text, however many items it
   * shares one with.
   */
  isContaminated(text: string): boolean;
  /**
   * All items that share an n-gram with the task, one finding each, in the items' order, but items
   * of equal tokens next to each other. None is left out: a phrase that all items begin with gives a
   * finding per item. Time: linear in the text and the findings, plus the sorting of the places in
   * the evaluation set at which shared n-grams stand (equal items counted once).
   */
  findOverlaps(task: G3Task): G3Finding[];
}

/**
 * Indexes the items, once for any number of tasks. A match is the same n tokens in
 * the same order; an item shorter than n matches when all its tokens occur in that order.
 *
 * Building is linear in the items' texts and keeps 14 to 20 bytes per token. Tokens are compared on
 * every hash hit, so there are no false findings. A task is scanned once for n and once for every
 * different length of the items shorter than n.
 *
 * Throws UserError: exit 2 when n is not an integer from 1, exit 3 when no item has a token, since such
 * a gate would pass everything.
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

  /** One finding for every item that has the text of the overlap. */
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
