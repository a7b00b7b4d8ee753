/**
 * Kana that Unicode assigns to the script "Common": iteration, length and voicing marks. They are listed one by
 * one because Script_Extensions also includes Latin marks from Unicode 16 on, so tokens would depend on the
 * version of Node.
 */
const COMMON_KANA = String.raw`\u3006\u3031-\u3035\u303C\u3099\u309A\u30FC`;

/** Scripts that are written without spaces. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}${COMMON_KANA}]`;

/**
 * Longest word, in code points; longer words are cut. The regular-expression engine keeps a backtracking state
 * per step and would overflow its stack on a word of several megabytes.
 */
const MAX_WORD = 1024;

/** A word begins with a letter or digit, because NFKC turns `it´s` into a space and a stray mark before `s`. */
const TOKEN = new RegExp(
  String.raw`[[\p{L}\p{M}\p{N}]&&${UNSPACED}]|` +
    String.raw`[[\p{L}\p{N}]--${UNSPACED}][[\p{L}\p{M}\p{N}]--${UNSPACED}]{0,${MAX_WORD - 1}}`,
  "gv",
);

/** Same matches as TOKEN in lower-case ASCII text, which the other steps do not change. Three times as fast. */
const ASCII_TOKEN = new RegExp(`[a-z0-9]{1,${MAX_WORD}}`, "g");
const BEYOND_ASCII = /\P{ASCII}/u;

/** Unicode's list of invisible characters: zero-width characters, soft hyphens, selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The longest run of marks that is normalised in one piece (UAX #15, Stream-Safe Text Format). */
const LONG_MARK_RUN = /\p{M}{30}(?=\p{M})/gu;
const COMBINING_GRAPHEME_JOINER = "\u034F";

/**
 * Returns the tokens of a text in order, as G3 compares them. The text is normalised with NFKC, lowercased
 * (independently of locale), and stripped of invisible characters. A token is a run of letters, marks and
 * numbers; in Han, Kana, Thai, Lao, Khmer and Myanmar, each letter, mark or digit is a separate token.
 * Punctuation, symbols and lone surrogates are separators.
 *
 * Linear in the length of the text. Never throws.
 */
export function normaliseTokens(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase().match(ASCII_TOKEN) ?? [];
  // Sorting a run of marks is quadratic in ICU. A joiner after every 30 marks keeps the runs short.
  const normal = text
    .replace(INVISIBLE, "")
    .replace(LONG_MARK_RUN, `$&${COMBINING_GRAPHEME_JOINER}`)
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toLowerCase();
  return normal.match(TOKEN) ?? [];
}

/** Compares `count` tokens of `a` from `aStart` on with those of `b` from `bStart` on. */
export function sameTokens(
  a: Int32Array,
  aStart: number,
  b: Int32Array,
  bStart: number,
  count: number,
): boolean {
  for (let offset = 0; offset < count; offset += 1) {
    if (a[aStart + offset] !== b[bStart + offset]) return false;
  }
  return true;
}

/** A token that occurs in no evaluation item. No window contains it. */
export const UNKNOWN_TOKEN = -1;

/** Multiplier of the rolling hash: the 32-bit FNV-1a prime. */
const BASE = 0x01000193;

/** 2^32 divided by the golden ratio. Spreads token ids, which are small and dense. */
const SPREAD = 0x9e3779b1;

/**
 * Calls `visit` with the 32-bit hash and the start of every window of `width` (at least 1) known tokens in
 * `tokens[start]` up to `tokens[end - 1]`, from left to right, until it returns true. Equal windows have equal
 * hashes, but hashes can collide. Returns whether `visit` returned true. Linear in `end - start` for any width.
 */
export function someWindow(
  tokens: Int32Array,
  { start, end, width }: { start: number; end: number; width: number },
  visit: (hash: number, start: number) => boolean,
): boolean {
  if (end - start < width) return false;
  const oldest = power(BASE, width);
  let known = 0;
  let hash = 0;
  for (let at = start; at < end; at += 1) {
    const token = tokens[at] ?? UNKNOWN_TOKEN;
    if (token === UNKNOWN_TOKEN) {
      known = 0;
      hash = 0;
      continue;
    }
    hash = append(hash, token);
    if (known < width) known += 1;
    else hash = (hash - Math.imul(spread(tokens[at - width] ?? UNKNOWN_TOKEN), oldest)) | 0;
    if (known === width && visit(hash, at - width + 1)) return true;
  }
  return false;
}

/** The 32-bit hash of `tokens[start]` up to `tokens[end - 1]`, none of them unknown. */
export function hashOf(tokens: Int32Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = append(hash, tokens[at] ?? UNKNOWN_TOKEN);
  return hash;
}

function append(hash: number, token: number): number {
  return (Math.imul(hash, BASE) + spread(token)) | 0;
}

function spread(token: number): number {
  const mixed = Math.imul(token + 1, SPREAD);
  return mixed ^ (mixed >>> 15);
}

/** `base` to the power of `exponent`, modulo 2^32. */
function power(base: number, exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count += 1) result = Math.imul(result, base);
  return result;
}

/** Maps words to dense numbers from 0, which are faster to compare, hash and store than strings. */
export interface Vocabulary {
  /** The words in the order of their numbers. */
  readonly words: readonly string[];
  /** Returns the number of a word, assigning a new one if necessary. */
  add(word: string): number;
  /** Returns the number of a word, or `UNKNOWN_TOKEN`. */
  find(word: string): number;
  /** Returns the words, separated by spaces. Throws RangeError for a number that `add` never returned. */
  textOf(tokens: Int32Array): string;
}

/** Creates a vocabulary of up to 2^24 words (the limit of a `Map`). `known` are its first ones, without duplicates. */
export function createVocabulary(known: readonly string[] = []): Vocabulary {
  const words = [...known];
  const numbers = new Map(words.map((word, number) => [word, number]));
  return {
    words,
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
