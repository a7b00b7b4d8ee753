import {
  createVocabulary,
  hashOf,
  normaliseTokens,
  sameTokens,
  type Vocabulary,
} from "./tokens.js";

/** A text of the evaluation set. */
export interface EvalText {
  /** Range of its tokens in the corpus, `end` exclusive; at least one token. */
  readonly start: number;
  readonly end: number;
  /** The items with this text, in their order; several if the set repeats itself. */
  readonly items: EvalItemRef[];
}

/** An evaluation set as token numbers. */
export interface EvalCorpus {
  /** Items read, those of `emptyItems` included. */
  readonly itemCount: number;
  /** The items that have no token. */
  readonly emptyItems: readonly EvalItemRef[];
  /** The texts that have tokens, each once, in order of `start`. */
  readonly texts: readonly EvalText[];
  /** The tokens of all texts, one after the other, as numbers of the vocabulary. */
  readonly tokens: Int32Array;
  readonly vocabulary: Vocabulary;
}

/**
 * Reads the items once. Items with the same tokens share one text, so that repeated items cost nothing
 * more. Linear in the texts.
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

function enlarge(tokens: Int32Array, needed: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(needed, 2 * tokens.length));
  larger.set(tokens);
  return larger;
}

/** Position and id of an evaluation item, as findings name it. */
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

/** A rollout's task, with the id that findings carry. */
export interface G3Task {
  readonly id: string;
  readonly text: string;
}

/** What one task shares with one evaluation item; there is one finding per such pair. */
export interface G3Finding {
  /** Id of the task. */
  readonly task: string;
  readonly evalItem: EvalItemRef;
  /**
   * The first n-gram of the evaluation item that the task holds too: its normalised tokens, separated
   * by spaces. The whole item if that is shorter than n.
   */
  readonly ngram: string;
  /** Tokens of the evaluation item that lie in a shared n-gram / all its tokens: above 0, up to 1. */
  readonly overlapRatio: number;
  /**
   * The longest run of such tokens in the evaluation item, in tokens. Like the ratio, it is measured on
   * the item: two pieces that are apart in the task but adjacent in the item are one run.
   */
  readonly longestSpan: number;
}
