import { MAX_SEEN, SeenHashes } from "../../../base/seen-hashes.js";
import { hashText } from "../../../base/text.js";
import { type EvalCorpus, type EvalText, textAt } from "./corpus.js";
import { hashOf, normaliseTokens, sameTokens, UNKNOWN_TOKEN } from "./tokens.js";
import type { WindowIndex } from "./windows.js";

/** Default share of the distinct tasks above which an n-gram is boilerplate. */
export const DEFAULT_BOILERPLATE_SHARE = 0.05;

/**
 * Texts of one side, tasks or evaluation items, that make an n-gram boilerplate: in a small set, two are already a large
 * share.
 */
const MIN_TEXTS = 5;

/** Tasks that contain it even if the evaluation items make up the five. One alone may be copied from an item. */
const MIN_TASKS = 2;

/** Number of n-grams listed as examples. */
const MAX_EXAMPLES = 10;

/** An n-gram that is boilerplate. */
export interface BoilerplateNgram {
  /** Its normalised tokens, separated by spaces. */
  readonly ngram: string;
  /** Number of distinct tasks that contain it. */
  readonly tasks: number;
}

/**
 * The n-grams of an evaluation set that are boilerplate: template text that so many tasks contain that it does not
 * show where a task comes from. It belongs to the `EvalIndex` whose counter found it.
 */
export interface Boilerplate {
  /** Number of distinct tasks that were counted. Tasks with the same tokens are one task. */
  readonly tasks: number;
  /** Number of distinct n-grams that are boilerplate. */
  readonly ngrams: number;
  /** The most frequent ones, at most ten, without those that overlap a listed one in the evaluation set. */
  readonly examples: readonly BoilerplateNgram[];
  /** Whether all windows that equal the first one, at this corpus position, are mostly boilerplate. */
  includes(first: number): boolean;
  /** Whether the window at this corpus position is mostly boilerplate: more than half of its tokens are. */
  includesAt(position: number): boolean;
  /** Number of tokens of a text in windows that are not mostly boilerplate. */
  ownLength(text: EvalText): number;
  /** Returns the text with the same tokens, if all of its windows are mostly boilerplate. */
  findRepeated(tokens: Int32Array): EvalText | undefined;
}

/** In how many distinct tasks the n-grams of an evaluation set occur. */
export interface TaskCounts {
  /** Number of distinct tasks. */
  readonly tasks: number;
  /** For each n-gram that at least two of them contain: the corpus position where it first occurs, and their number. */
  readonly repeated: ReadonlyMap<number, number>;
}

/** Counts in how many distinct tasks each n-gram of an evaluation set occurs. */
export interface TaskCounter {
  /**
   * Counts the task, unless one with the same tokens was counted before. Returns whether it shares an n-gram with
   * any item, boilerplate or not. Linear in the text.
   */
  add(text: string): boolean;
  /** The tasks counted so far. */
  counts(): TaskCounts;
  /** Returns the boilerplate of the tasks counted so far. Linear in the evaluation set, plus sorting the boilerplate. */
  findBoilerplate(): Boilerplate;
}

/** No boilerplate: every n-gram counts. */
export const NO_BOILERPLATE: Boilerplate = noBoilerplate(0);

function noBoilerplate(tasks: number): Boilerplate {
  return {
    tasks,
    ngrams: 0,
    examples: [],
    includes: () => false,
    includesAt: () => false,
    ownLength: ({ start, end }) => end - start,
    findRepeated: () => undefined,
  };
}

interface TaskCounterOptions {
  /**
   * An n-gram in more than this share of the distinct tasks is boilerplate, if at least five tasks contain it; or two
   * tasks, and at least five items and more than this share of them (items with the same tokens are one).
   */
  readonly share: number;
  /**
   * Maximum number of remembered tasks. Further ones count as distinct tasks but not as occurrences, so that less
   * is boilerplate, and no overlap is missed.
   */
  readonly maxTasks?: number | undefined;
}

/** A task as its counter sees it. */
export interface CountableTask {
  /** Equal for tasks with the same words: an integer below 2^53. */
  readonly hash: number;
  /** Its words as numbers of the corpus. */
  readonly tokens: Int32Array;
}

export function readTask(text: string, { vocabulary }: EvalCorpus): CountableTask {
  const words = normaliseTokens(text);
  return { hash: hashText(words.join(" ")), tokens: Int32Array.from(words, vocabulary.find) };
}

/** Creates a counter without tasks: 4 bytes per token of the corpus, and 16 to 32 per distinct task. */
export function createTaskCounter(
  corpus: EvalCorpus,
  windows: WindowIndex,
  { share, maxTasks = MAX_SEEN }: TaskCounterOptions,
): TaskCounter {
  /** Number of tasks per window, at the corpus position where it first occurs. */
  const counts = new Int32Array(corpus.tokens.length);
  /** The windows that occur in enough tasks to be looked at. */
  const repeated: number[] = [];
  const seen = new SeenHashes();
  let tasks = 0;

  /** Whether a task is the first with this hash, and is to be counted. */
  function isNew(hash: number): boolean {
    if (seen.size >= maxTasks) {
      tasks += 1;
      return false;
    }
    if (seen.add(hash)) return false;
    tasks += 1;
    return true;
  }

  return {
    add(text) {
      const { hash, tokens } = readTask(text, corpus);
      if (!isNew(hash)) return windows.sharesWindow(tokens);
      const shared = windows.sharedWindows(tokens);
      for (const first of shared) {
        const count = (counts[first] ?? 0) + 1;
        counts[first] = count;
        if (count === MIN_TASKS) repeated.push(first);
      }
      return shared.size > 0;
    },
    counts: toCounts,
    findBoilerplate: () => findBoilerplate(toCounts(), { corpus, windows, share }),
  };

  function toCounts(): TaskCounts {
    return { tasks, repeated: new Map(repeated.map((first) => [first, counts[first] ?? 0])) };
  }
}

interface IndexedCorpus {
  readonly corpus: EvalCorpus;
  readonly windows: WindowIndex;
}

/** Finds the boilerplate of counted tasks. Linear in the evaluation set, plus sorting the boilerplate. */
export function findBoilerplate(
  { tasks, repeated: counts }: TaskCounts,
  { corpus, windows, share }: IndexedCorpus & Pick<TaskCounterOptions, "share">,
): Boilerplate {
  // Divided, not multiplied: the quotient is the double that is written as the share, such as 7 / 100 and 0.07.
  const isCommon = (count: number, total: number): boolean => count / total > share;
  const firsts = [...counts].flatMap(([first, count]) => {
    if (!isCommon(count, tasks)) return [];
    if (count >= MIN_TEXTS) return [first];
    const items = countTexts(first, corpus, windows);
    return items >= MIN_TEXTS && isCommon(items, corpus.texts.length) ? [first] : [];
  });
  if (firsts.length === 0) return noBoilerplate(tasks);
  return createBoilerplate({ corpus, windows, counts, tasks, firsts });
}

/** Number of texts that contain the window at `first`. */
function countTexts(first: number, { texts }: EvalCorpus, windows: WindowIndex): number {
  const holders = new Set<EvalText | undefined>();
  for (const at of windows.equalPositions(first)) holders.add(textAt(texts, at));
  return holders.size;
}

interface CountedWindows extends IndexedCorpus {
  readonly counts: TaskCounts["repeated"];
  readonly tasks: number;
  /** The windows that are boilerplate, each by its first position. */
  readonly firsts: readonly number[];
}

function createBoilerplate(counted: CountedWindows): Boilerplate {
  const { corpus, windows, tasks, firsts } = counted;
  const { texts, tokens } = corpus;
  /** 1 at each corpus position where boilerplate begins, and later where a window is mostly boilerplate. */
  const marks = new Uint8Array(tokens.length);
  for (const first of firsts) for (const at of windows.equalPositions(first)) marks[at] = 1;

  const ownLengths = new Map<EvalText, number>();
  const templates = new Map<number, EvalText[]>();
  for (const text of texts) {
    const own = markMostly(text, marks, windows.widthOf(text));
    ownLengths.set(text, own);
    if (own > 0) continue;
    const hash = hashOf(tokens, text.start, text.end);
    templates.set(hash, [...(templates.get(hash) ?? []), text]);
  }

  /** What `includes` returned, computed once per window: 0 is unknown, 1 is true, 2 is false. */
  const answers = new Uint8Array(tokens.length);
  function everyIncluded(first: number): boolean {
    for (const at of windows.equalPositions(first)) if (marks[at] !== 1) return false;
    return true;
  }

  return {
    tasks,
    ngrams: firsts.length,
    examples: listExamples(counted),
    includes(first) {
      if (answers[first] === 0) answers[first] = everyIncluded(first) ? 1 : 2;
      return answers[first] === 1;
    },
    includesAt: (position) => marks[position] === 1,
    ownLength: (text) => ownLengths.get(text) ?? text.end - text.start,
    findRepeated(task) {
      if (templates.size === 0 || task.includes(UNKNOWN_TOKEN)) return undefined;
      return templates
        .get(hashOf(task, 0, task.length))
        ?.find(
          ({ start, end }) =>
            end - start === task.length && sameTokens(tokens, start, task, 0, task.length),
        );
    },
  };
}

/**
 * Replaces the marks of a text. Before, they are where boilerplate begins; afterwards, where a window begins of which
 * more than half is boilerplate: a word beside it, or two pieces of it in another order, do not show where a task comes
 * from. Returns the number of tokens in the other windows.
 */
function markMostly({ start, end }: EvalText, marks: Uint8Array, width: number): number {
  const inBoilerplate = new Uint8Array(end - start);
  let until = start;
  for (let at = start; at < end; at += 1) {
    if (marks[at] === 1) until = at + width;
    if (at < until) inBoilerplate[at - start] = 1;
  }
  let own = 0;
  let covered = start;
  let inWindow = 0;
  for (let last = start; last < end; last += 1) {
    inWindow += inBoilerplate[last - start] ?? 0;
    const at = last - width + 1;
    if (at < start) continue;
    const isMostly = 2 * inWindow > width;
    marks[at] = isMostly ? 1 : 0;
    if (!isMostly) {
      own += at + width - Math.max(at, covered);
      covered = at + width;
    }
    inWindow -= inBoilerplate[at - start] ?? 0;
  }
  return own;
}

function listExamples({ corpus, windows, counts, firsts }: CountedWindows): BoilerplateNgram[] {
  const { texts, tokens, vocabulary } = corpus;
  const listed: { readonly first: number; readonly width: number }[] = [];
  const countOf = (first: number): number => counts.get(first) ?? 0;
  const byCount = firsts.toSorted((a, b) => countOf(b) - countOf(a) || a - b);
  for (const first of byCount) {
    if (listed.length >= MAX_EXAMPLES) break;
    const text = textAt(texts, first);
    if (text === undefined) continue;
    const width = windows.widthOf(text);
    if (listed.some((other) => first < other.first + other.width && other.first < first + width)) {
      continue;
    }
    listed.push({ first, width });
  }
  return listed.map(({ first, width }) => ({
    ngram: vocabulary.textOf(tokens.subarray(first, first + width)),
    tasks: countOf(first),
  }));
}
