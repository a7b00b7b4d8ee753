import { createVocabulary, type Vocabulary } from "./create-vocabulary.js";
import type { EvalItem, EvalItemRef } from "./g3-finding.js";
import { normaliseTokens } from "./normalise-tokens.js";
import { sameTokens } from "./same-tokens.js";
import { hashOf } from "./some-window.js";

/** A text of the evaluation set. */
export interface EvalText {
  /** Where its tokens begin and end (exclusive) in the corpus; it has at least one. */
  readonly start: number;
  readonly end: number;
  /** The items that have it, in their order; more than one if the set repeats itself. */
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
 * Reads the items once. Items with the same tokens share one text, so that a set which repeats one
 * item costs as much as the item. Linear in the texts.
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
