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

/** What TOKEN finds in ASCII in lower case, which none of the other steps changes; in a third of the time. */
const ASCII_TOKEN = new RegExp(`[a-z0-9]{1,${MAX_WORD}}`, "g");
const BEYOND_ASCII = /\P{ASCII}/u;

/** Unicode's list of what is invisible by intent: zero-width characters, soft hyphens, selectors. */
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
