import { EXIT, UserError } from "../../../base/user-error.js";
import {
  type Boilerplate,
  createTaskCounter,
  DEFAULT_BOILERPLATE_SHARE,
  findBoilerplate,
  NO_BOILERPLATE,
  type TaskCounter,
  type TaskCounts,
} from "./boilerplate.js";
import {
  createEvalCorpus,
  type EvalCorpus,
  type EvalItem,
  type EvalItemRef,
  type EvalText,
  type G3Finding,
  type G3Task,
  textAt,
} from "./corpus.js";
import { normaliseTokens } from "./tokens.js";
import { createWindowIndex, type WindowIndex } from "./windows.js";

/** Default number of words per n-gram. */
export const DEFAULT_N = 8;

/** Default minimum overlap ratio: a single shared n-gram is enough. */
export const DEFAULT_MIN_OVERLAP = 0;

/** What counts as an overlap with an evaluation set. */
export interface G3Options {
  /** Tokens per n-gram, from 1. Default 8. Use 13 for comparability with older work. */
  readonly n?: number;
  /**
   * An n-gram is boilerplate if more than this share of the distinct tasks contain it, and at least five tasks do. Two
   * tasks suffice if at least five distinct items, and more than this share of them, contain it as well. 0 to 1, default
   * 0.05. With 1, nothing is boilerplate. An n-gram of which more than half is boilerplate counts as boilerplate.
   */
  readonly boilerplateShare?: number;
  /** A task overlaps an item only if the overlap ratio is at least this: 0 to 1, default 0. */
  readonly minOverlap?: number;
}

/**
 * How a task compares with an evaluation set: it shares no n-gram with any item, only boilerplate, only overlaps below
 * the minimum, or more.
 */
export type TaskVerdict = "clean" | "boilerplate" | "below-minimum" | "contaminated";

/**
 * The n-grams of an evaluation set, with which tasks are compared. What is boilerplate is known only after all tasks
 * were counted; without it, every n-gram counts.
 */
export interface EvalIndex {
  readonly n: number;
  readonly boilerplateShare: number;
  readonly minOverlap: number;
  /** Number of items read, including `emptyItems`. */
  readonly itemCount: number;
  /** Items without a letter or digit. They match nothing, so a report must list or count them. */
  readonly emptyItems: readonly EvalItemRef[];
  /** The boilerplate of all tasks, if they were counted before; then they need not be counted again. */
  readonly boilerplate: Boilerplate | undefined;
  /** Creates a counter without tasks, which finds the boilerplate among the tasks given to it. */
  createTaskCounter(): TaskCounter;
  /**
   * Compares a task with all items. Linear in the text, regardless of the number of matching items; with a minimum
   * overlap, a task that shares an n-gram takes as long as `findOverlaps`.
   */
  compare(text: string, boilerplate?: Boilerplate): TaskVerdict;
  /** Tells whether the task overlaps any item: whether `compare` returns `contaminated`. */
  isContaminated(text: string, boilerplate?: Boilerplate): boolean;
  /**
   * Finds all items that the task overlaps: one finding each, in item order, except that items with
   * equal tokens are adjacent. No match is omitted: if all items begin with the same phrase, each gets a
   * finding, unless the phrase is boilerplate. Takes linear time in the text and the findings, plus sorting the
   * positions of the shared n-grams in the evaluation set (equal items counted once).
   *
   * An item that equals the task token by token is found even if all of its n-grams are mostly boilerplate.
   */
  findOverlaps(task: G3Task, boilerplate?: Boilerplate): G3Finding[];
}

/**
 * Indexes the items once for any number of tasks. A match is the same n tokens in the same order. An item
 * shorter than n matches if all its tokens occur in that order.
 *
 * Building is linear in the items' texts and takes 14 to 20 bytes per token. Tokens are compared on every hash
 * hit, so there are no false positives. A task is scanned once for n and once for every distinct length of the
 * items shorter than n.
 *
 * Throws UserError: exit 2 if n is not a positive integer or a ratio is not from 0 to 1, exit 3 if no item has a
 * token, since such a gate would pass everything.
 */
export function createEvalIndex(
  evalItems: Iterable<EvalItem>,
  { n, ...options }: G3Options = {},
): EvalIndex {
  return openEvalIndex(indexItems(evalItems, n), options);
}

/** The part of an index that does not depend on the tasks or on what counts as an overlap. */
export interface IndexedItems {
  readonly corpus: EvalCorpus;
  readonly windows: WindowIndex;
  /** All tasks that will be compared, if they were counted before. */
  readonly counts?: TaskCounts | undefined;
}

/** Throws UserError: exit 2 if n is not a positive integer, exit 3 if no item has a token. */
export function indexItems(evalItems: Iterable<EvalItem>, n: number = DEFAULT_N): IndexedItems {
  if (!Number.isSafeInteger(n) || n < 1) {
    throw new UserError(`n must be an integer of at least 1, is ${n}`, EXIT.usage);
  }
  const corpus = createEvalCorpus(evalItems);
  if (corpus.texts.length === 0) {
    throw new UserError(
      `no evaluation item with a letter or digit among ${corpus.itemCount}: nothing to compare tasks with`,
    );
  }
  return { corpus, windows: createWindowIndex(corpus, n) };
}

/** Throws UserError (exit 2) if a ratio is not from 0 to 1. */
export function openEvalIndex(
  { corpus, windows, counts }: IndexedItems,
  {
    boilerplateShare = DEFAULT_BOILERPLATE_SHARE,
    minOverlap = DEFAULT_MIN_OVERLAP,
  }: Omit<G3Options, "n"> = {},
): EvalIndex {
  requireRatio("the boilerplate share", boilerplateShare);
  requireRatio("the minimum overlap", minOverlap);
  const { itemCount, emptyItems, texts, tokens, vocabulary } = corpus;
  const { n } = windows.tables;
  const share = boilerplateShare;

  function tokensOf(text: string): Int32Array {
    return Int32Array.from(normaliseTokens(text), vocabulary.find);
  }

  /** Measures the overlaps of at least the minimum. */
  function overlapsOf(tokens: Int32Array, boilerplate: Boilerplate): RatedOverlap[] {
    const positions = windows
      .sharedPositions(tokens, (first) => !boilerplate.includes(first))
      .filter((position) => !boilerplate.includesAt(position));
    const overlaps: RatedOverlap[] = measureOverlaps(texts, positions, n)
      .map((overlap) => ({
        ...overlap,
        ratio: overlap.covered / boilerplate.ownLength(overlap.text),
      }))
      .filter(({ ratio }) => ratio >= minOverlap);
    const repeated = boilerplate.findRepeated(tokens);
    if (repeated === undefined) return overlaps;
    const { length } = tokens;
    const first = repeated.start;
    const whole = { text: repeated, first, width: windows.widthOf(repeated), ratio: 1 };
    overlaps.push({ ...whole, covered: length, longestSpan: length });
    return overlaps.sort((a, b) => a.text.start - b.text.start);
  }

  /** Creates one finding for each item that has the overlapping text. */
  function toFindings(task: string, overlap: RatedOverlap): G3Finding[] {
    const { text, first, width, ratio: overlapRatio, longestSpan } = overlap;
    const ngram = vocabulary.textOf(tokens.subarray(first, first + width));
    return text.items.map((evalItem) => ({ task, evalItem, ngram, overlapRatio, longestSpan }));
  }

  function compare(text: string, boilerplate: Boilerplate = NO_BOILERPLATE): TaskVerdict {
    const task = tokensOf(text);
    if (!windows.sharesWindow(task)) return "clean";
    if (boilerplate.findRepeated(task) !== undefined) return "contaminated";
    if (!windows.sharesWindow(task, (first) => !boilerplate.includes(first))) return "boilerplate";
    if (minOverlap === 0 || overlapsOf(task, boilerplate).length > 0) return "contaminated";
    return "below-minimum";
  }

  return {
    n,
    boilerplateShare,
    minOverlap,
    itemCount,
    emptyItems,
    boilerplate: counts && findBoilerplate(counts, { corpus, windows, share }),
    createTaskCounter: () => createTaskCounter(corpus, windows, { share }),
    compare,
    isContaminated: (text, boilerplate) => compare(text, boilerplate) === "contaminated",
    findOverlaps: ({ id, text }, boilerplate = NO_BOILERPLATE) =>
      overlapsOf(tokensOf(text), boilerplate).flatMap((overlap) => toFindings(id, overlap)),
  };
}

function requireRatio(name: string, ratio: number): void {
  if (ratio >= 0 && ratio <= 1) return;
  throw new UserError(`${name} must be a number from 0 to 1, is ${ratio}`, EXIT.usage);
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

interface RatedOverlap extends Overlap {
  /** Overlap ratio: above 0, up to 1. */
  readonly ratio: number;
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

/**
 * The G3 gate in one call: yields every (task, evaluation item) pair that overlaps, with tasks and items in order.
 * Tasks are read once; those that share an n-gram with any item are held in memory until all are counted, because only
 * then it is known which n-grams are boilerplate. There can be as many findings as tasks times items; to stop early or
 * to keep fewer, use `createEvalIndex` for each task.
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
  const counter = index.createTaskCounter();
  const sharing: G3Task[] = [];
  for (const task of tasks) if (counter.add(task.text)) sharing.push(task);
  const boilerplate = counter.findBoilerplate();
  const findings: G3Finding[] = [];
  for (const task of sharing) {
    for (const finding of index.findOverlaps(task, boilerplate)) findings.push(finding);
  }
  return findings;
}
