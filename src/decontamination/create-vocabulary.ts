import { UNKNOWN_TOKEN } from "./some-window.js";

/** Words as dense numbers from 0: numbers are compared, hashed and stored faster than strings. */
export interface Vocabulary {
  /** The number of a word, a new one if it has none yet. */
  add(word: string): number;
  /** The number of a word, or `UNKNOWN_TOKEN`. */
  find(word: string): number;
  /** The words, a space between two. Throws RangeError for a number that `add` never gave. */
  textOf(tokens: Int32Array): string;
}

/** An empty vocabulary, for up to 2^24 words (the limit of a `Map`). */
export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  return {
    add(word) {
      const known = numbers.get(word);
      if (known !== undefined) return known;
      numbers.set(word, words.length);
      return words.push(word) - 1;
    },
    find: (word) => numbers.get(word) ?? UNKNOWN_TOKEN,
    textOf(tokens) {
      const found: string[] = [];
      for (const token of tokens) {
        const word = words[token];
        if (word === undefined) throw new RangeError(`no word has the number ${token}`);
        found.push(word);
      }
      return found.join(" ");
    },
  };
}
