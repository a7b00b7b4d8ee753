/** Position of a secret in a text, in UTF-16 code units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The secret in canonical form, if it can be written in several ways. Default: the text of the span. */
  readonly secret?: string;
}

/** Detects secrets of one kind. */
export interface Detector {
  /** Kind of the secret, as used in placeholders. Also the file name, except for the token table. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether the form alone proves a secret. Detectors that could also match a number or a hash are not applied
   * to the identifiers of our own records.
   */
  readonly certain: boolean;
  /** Maximum length of a secret in characters, if it exceeds a few thousand. */
  readonly reach?: number;
  /** A cheap test that nearly all texts fail. If it returns false, `find` would find nothing. */
  mayFind(text: string): boolean;
  /**
   * Finds the secrets in a text, in order, without overlaps. Takes linear time for any text. A match does
   * not depend on text beyond the nearest placeholder.
   */
  find(text: string): readonly Span[];
}

export interface Search {
  /** A global pattern whose matches have a bounded length. */
  readonly pattern: RegExp;
  /** A sticky pattern for the rest of a match: one repeated character class. */
  readonly rest?: RegExp;
  /**
   * Whether a match must start a word. Checking a match is cheaper than a look-behind at every position.
   * "bare": for patterns that may begin with any letter, so that the `n` of `\n` is not taken for their first
   * letter.
   */
  readonly wordStart?: boolean | "bare";
}

/** Finds the matches of a pattern; its group `secret` if it has one, which requires the flag `d`. */
export function findMatches(text: string, { pattern, rest, wordStart = false }: Search): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (wordStart !== false && !isWordStart(text, match.index, wordStart === "bare")) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    const [start, matched] = match.indices?.groups?.secret ?? [match.index, pattern.lastIndex];
    const end = rest === undefined ? matched : endOf(text, matched, rest);
    spans.push({ start, end });
    pattern.lastIndex = Math.max(pattern.lastIndex, end);
  }
  return spans;
}

/** The end of a match of the sticky pattern `rest` at `start`; `start` if it does not match. */
export function endOf(text: string, start: number, rest: RegExp): number {
  rest.lastIndex = start;
  return rest.test(text) ? rest.lastIndex : start;
}

/** How far before a value its key words are searched, in characters. */
const REACH = 64;

const SEPARATORS = String.raw`["'\x60\\\s:=(>[-]{0,8}(?:(?:is|was|here|hex|value|below)["'\x60\\\s:=]{1,6}){0,2}`;

/** A substring of every word that denotes a key. */
export const KEY_WORD = /key|hex|secret|seed/i;
const KEY_WORDS = new RegExp(
  `(?:(?:private|priv|secret|signing|wallet|deployer|owner|account)[\\s_-]{0,2}(?:key|hex)|keypair|secret|seed)${SEPARATORS}$`,
  "i",
);
const PHRASE_WORDS = new RegExp(
  `(?:mnemonics?|(?:seed|recovery|backup|secret|mnemonic)[\\s_-]{0,2}(?:phrase|words?)|seed)${SEPARATORS}$`,
  "i",
);

/** Tells whether the words directly before a value denote a secret key: "private key: ", `PRIVATE_KEY=`. */
export function followsKeyWords(text: string, start: number): boolean {
  return KEY_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}

/** The same for a seed phrase. */
export function followsPhraseWords(text: string, start: number): boolean {
  return PHRASE_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}

/** Tells whether a value is only a template for a secret: `$TOKEN`, `<your key>`, `{{ token }}`, `****`. */
export function isTemplate(value: string): boolean {
  return /^(?:\$|<|\{|%[({]|\[|\*+$|\.+$|x+$)/i.test(value);
}

/** An escape in JSON, a shell or a URL. It is not part of the word that follows. */
const ESCAPE = /(?:\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})$/;
/** For patterns that may match anywhere within a long word, where most matches would not start a word. */
export const WORD_START = String.raw`(?<=^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})`;
const LONGEST_ESCAPE = 6;

/**
 * Tells whether a word starts at an index: the previous character is not a letter or digit, unless it belongs
 * to an escape such as `\n`, `\u003d` or `%3D`. A bare word does not start within an escape.
 */
export function isWordStart(text: string, index: number, isBare: boolean): boolean {
  const before = text.slice(Math.max(0, index - LONGEST_ESCAPE), index);
  if (ESCAPE.test(before)) return true;
  if (/[A-Za-z0-9]$/.test(before)) return false;
  if (!isBare) return true;
  const first = text.slice(index, index + 2);
  return (
    !(before.endsWith("\\") && /^[bfnrtu]/.test(first)) &&
    !(before.endsWith("%") && /^[0-9A-Fa-f]{2}/.test(first))
  );
}

/** Basic credentials are `user:password` in base64; "basic authentication" is not. */
export function isUserAndPassword(base64: string): boolean {
  const decoded = Buffer.from(base64, "base64").toString("latin1");
  return /^[\x20-\x39\x3b-\x7e\x80-\xff]{0,1024}:[\x20-\x7e\x80-\xff]/.test(decoded);
}
