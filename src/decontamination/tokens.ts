/**
 * The kana that Unicode files under the script "Common": iteration, length and voicing marks.
 * Named one by one because Script_Extensions, which lists them too, also takes in Latin marks from
 * Unicode 16 on: tokens would change with the version of Node.
 */
const COMMON_KANA = String.raw`\u3006\u3031-\u3035\u303C\u3099\u309A\u30FC`;

/** Scripts that are written without spaces. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}${COMMON_KANA}]`;

/**
 * Longest word, in code points; a longer one is cut. The regular-expression engine keeps a
 * backtracking state per step and overflows its stack on a word of some megabytes.
 */
const MAX_WORD = 1024;

/** A word begins with a letter or digit: NFKC makes of `it´s` a space and a stray mark before `s`. */
const TOKEN = new RegExp(
  String.raw`[[\p{L}\p{M}\p{N}]&&${UNSPACED}]|` +
    String.raw`[[\p{L}\p{N}]--${UNSPACED}][[\p{L}\p{M}\p{N}]--${UNSPACED}]{0,${MAX_WORD - 1}}`,
  "gv",
);

/** Finds what TOKEN finds in lower-case ASCII, which the other steps do not change; three times as fast. */
const ASCII_TOKEN = new RegExp(`[a-z0-9]{1,${MAX_WORD}}`, "g");
const BEYOND_ASCII = /\P{ASCII}/u;

/** Unicode's list of intentionally invisible characters: zero-width ones, soft hyphens, selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The longest run of marks that UAX #15 (Stream-Safe Text Format) normalises in one piece. */
const LONG_MARK_RUN = /\p{M}{30}(?=\p{M})/gu;
const COMBINING_GRAPHEME_JOINER = "\u034F";

/**
 * The tokens of a text, in its order, as G3 compares them: NFKC, lower case (of no
 * locale), without invisible characters; a word is a run of letters, marks and digits (numbers of
 * every kind), and each letter, mark or digit of Han, Kana, Thai, Lao, Khmer or Myanmar is a token
 * of its own. Punctuation, symbols and lone surrogates only separate.
 *
 * Linear in the length of the text, whatever it holds. Never throws.
 */
export function normaliseTokens(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase().match(ASCII_TOKEN) ?? [];
  // Sorting a run of marks is quadratic in ICU; a joiner every 30 marks keeps the runs short.
  const normal = text
    .replace(INVISIBLE, "")
    .replace(LONG_MARK_RUN, `$&${COMBINING_GRAPHEME_JOINER}`)
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .toLowerCase();
  return normal.match(TOKEN) ?? [];
}

/** Whether `count` tokens of `a` from `aStart` on are those of `b` from `bStart` on. */
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

/** A token that no evaluation item has; no window holds it. */
export const UNKNOWN_TOKEN = -1;

/** Multiplier of the rolling hash: the prime of FNV-1a (32 bit). */
const BASE = 0x01000193;

/** 2^32 divided by the golden ratio: spreads token ids, which are small and dense. */
const SPREAD = 0x9e3779b1;

/**
 * Calls `visit` with hash (32 bit) and start of every window of `width` (at least 1) known tokens in
 * `tokens[start]` up to `tokens[end - 1]`, from left to right, until it returns true. Equal windows
 * have equal hashes; the reverse may not hold. Returns whether `visit` returned true. Linear in
 * `end - start`, whatever the width.
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

/** The hash (32 bit) of all of `tokens[start]` up to `tokens[end - 1]`, none of them unknown. */
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

/** Words as dense numbers from 0: numbers are compared, hashed and stored faster than strings. */
export interface Vocabulary {
  /** The number of a word, a new one if it has none yet. */
  add(word: string): number;
  /** The number of a word, or `UNKNOWN_TOKEN`. */
  find(word: string): number;
  /** The words, separated by spaces. Throws RangeError for a number that `add` never gave. */
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
