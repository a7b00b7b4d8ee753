import {
  createVocabulary,
  hashOf,
  normaliseTokens,
  sameTokens,
  type Vocabulary,
} from "./tokens.js";

/** A text of the evaluation set. */
export interface EvalText {
  /** Range of its tokens in the corpus, `end` exclusive. At least one token. */
  readonly start: number;
  readonly end: number;
  /** The items with this text, in order. Several if the set repeats itself. */
  readonly items: EvalItemRef[];
}

/** An evaluation set as token numbers. */
export interface EvalCorpus {
  /** Number of items read, including `emptyItems`. */
  readonly itemCount: number;
  /** The items without any token. */
  readonly emptyItems: readonly EvalItemRef[];
  /** The texts that have tokens, without duplicates, ordered by `start`. */
  readonly texts: readonly EvalText[];
  /** The tokens of all texts, concatenated, as numbers of the vocabulary. */
  readonly tokens: Int32Array;
  readonly vocabulary: Vocabulary;
}

/**
 * Reads the items once. Items with the same tokens share one text, so repeated items take no extra memory.
 * Linear in the texts.
 */
export function createEvalCorpus(evalItems: Iterable<EvalItem>): EvalCorpus {
  const emptyItems: EvalItemRef[] = [];
  const texts: EvalText[] = [];
  const textsByHash = new Map<number, EvalText[]>();
  const vocabulary = createVocabulary();
  let tokens = new Int32Array(1024);
  let itemCount = 0;
  let start = 0;

  for (const { file, line, id, text } of evalItems) {
    const item = { file, line, id };
    itemCount += 1;
    const words = normaliseTokens(text);
    if (words.length === 0) {
      emptyItems.push(item);
      continue;
    }
    const end = start + words.length;
    if (end > tokens.length) tokens = enlarge(tokens, end);
    for (const [index, word] of words.entries()) tokens[start + index] = vocabulary.add(word);

    const hash = hashOf(tokens, start, end);
    const candidates = textsByHash.get(hash) ?? [];
    const known = candidates.find(
      (other) =>
        other.end - other.start === words.length &&
        sameTokens(tokens, other.start, tokens, start, words.length),
    );
    if (known) {
      known.items.push(item);
      continue;
    }
    const added = { start, end, items: [item] };
    texts.push(added);
    candidates.push(added);
    textsByHash.set(hash, candidates);
    start = end;
  }
  return { itemCount, emptyItems, texts, tokens: tokens.slice(0, start), vocabulary };
}

/** Finds the text that contains the token at `position`, by binary search. */
export function textAt(texts: readonly EvalText[], position: number): EvalText | undefined {
  let low = 0;
  let high = texts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((texts[middle]?.start ?? 0) <= position) low = middle;
    else high = middle;
  }
  return texts[low];
}

function enlarge(tokens: Int32Array, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(needed, 2 * tokens.length));
  larger.set(tokens);
  return larger;
}

/** Position and id of an evaluation item, used in findings. */
export interface EvalItemRef {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** Line on which the item begins, from 1. */
  readonly line: number;
  readonly id: string;
}

/** One item of an evaluation set: a text that must not be trained on. */
export interface EvalItem extends EvalItemRef {
  readonly text: string;
}

/** A rollout's task, with the id used in findings. */
export interface G3Task {
  readonly id: string;
  readonly text: string;
}

/** The overlap of one task with one evaluation item. There is one finding per such pair. */
export interface G3Finding {
  /** Id of the task. */
  readonly task: string;
  readonly evalItem: EvalItemRef;
  /**
   * The first n-gram of the evaluation item that also occurs in the task and is not boilerplate: its normalised
   * tokens, separated by spaces. The whole item if it is shorter than n.
   */
  readonly ngram: string;
  /**
   * Tokens of the evaluation item in shared n-grams, divided by all its tokens: above 0, up to 1. Boilerplate is left
   * out on both sides: tokens that are only in n-grams of boilerplate count neither above nor below.
   */
  readonly overlapRatio: number;
  /**
   * The longest run of such tokens in the evaluation item, in tokens. Like the ratio, it is measured in the
   * item: two pieces that are separated in the task but adjacent in the item count as one run.
   */
  readonly longestSpan: number;
}
