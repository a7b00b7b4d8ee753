/** Where a secret stands in a text, in UTF-16 code units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** The secret itself, where it can be written in several ways; the text that stands there by default. */
  readonly secret?: string;
}

/** Knows secrets of one kind. */
export interface Detector {
  /** Kind of the secret, as placeholders name it; also the file's name, but for the tokens of a table. */
  readonly id: string;
  readonly purpose: string;
  /**
   * Whether the form alone proves a secret. What might be a number or a hash as well is not looked for in the
   * identifiers of our own records.
   */
  readonly certain: boolean;
  /** How many characters a secret may have, where it is more than a few thousand. */
  readonly reach?: number;
  /** Whether there may be something in a text: a test that costs little, and that next to no text passes. */
  mayFind(text: string): boolean;
  /**
   * Finds the secrets in a text, in order, none within another. Takes time in proportion to the text, whatever it
   * holds; what it finds depends on nothing further away than a placeholder is.
   */
  find(text: string): readonly Span[];
}

export interface Search {
  /** A global pattern that never matches more than a bounded number of characters. */
  readonly pattern: RegExp;
  /** A sticky pattern for the rest of a match, of one character class that is repeated. */
  readonly rest?: RegExp;
  /**
   * Whether a match has to begin a word, which is cheaper to ask of a match than of every place in the text;
   * "bare" for what may begin with any letter, so that the `n` of `\n` is not taken for its first.
   */
  readonly wordStart?: boolean | "bare";
}

/** Where a pattern matches: its group `secret` where it has one. Needs the flag `d` for that. */
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

function endOf(text: string, start: number, rest: RegExp): number {
  rest.lastIndex = start;
  return rest.test(text) ? rest.lastIndex : start;
}

/** How far before a value its words are looked for, in characters. */
const REACH = 64;

const SEPARATORS = String.raw`["'\x60\\\s:=(>[-]{0,8}(?:(?:is|was|here|hex|value|below)["'\x60\\\s:=]{1,6}){0,2}`;

/** A part of all words that call something a key. */
export const KEY_WORD = /key|hex|secret|seed/i;
const KEY_WORDS = new RegExp(
  `(?:(?:private|priv|secret|signing|wallet|deployer|owner|account)[\\s_-]{0,2}(?:key|hex)|keypair|secret|seed)${SEPARATORS}$`,
  "i",
);
const PHRASE_WORDS = new RegExp(
  `(?:mnemonics?|(?:seed|recovery|backup|secret|mnemonic)[\\s_-]{0,2}(?:phrase|words?)|seed)${SEPARATORS}$`,
  "i",
);

/** Whether the words right before a value call it a secret key: "private key: ", `PRIVATE_KEY=`. */
export function followsKeyWords(text: string, start: number): boolean {
  return KEY_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}

/** The same of a seed phrase. */
export function followsPhraseWords(text: string, start: number): boolean {
  return PHRASE_WORDS.test(text.slice(Math.max(0, start - REACH), start));
}

/** Whether a value stands for a secret and is none: `$TOKEN`, `<your key>`, `{{ token }}`, `****`. */
export function isTemplate(value: string): boolean {
  return /^(?:\$|<|\{|%[({]|\[|\*+$|\.+$|x+$)/i.test(value);
}

/** What JSON, a shell or a URL escapes: no part of the word behind it. */
const ESCAPE = /(?:\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})$/;
/** For patterns that may match anywhere within a long word, where most are found not to begin one. */
export const WORD_START = String.raw`(?<=^|[^A-Za-z0-9]|\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})`;
const LONGEST_ESCAPE = 6;

/**
 * Whether a word begins at an index: no letter and no digit stands before it, but for those of an escape, such as
 * `\n`, `\u003d` and `%3D`. A bare word does not begin within an escape.
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

/** What Basic carries is `user:password` in base64; "basic authentication" is not. */
export function isUserAndPassword(base64: string): boolean {
  const decoded = Buffer.from(base64, "base64").toString("latin1");
  return /^[\x20-\x39\x3b-\x7e\x80-\xff]{0,1024}:[\x20-\x7e\x80-\xff]/.test(decoded);
}
