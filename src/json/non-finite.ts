import { describeSyntaxError } from "./syntax-error.js";
import { scanJson } from "./tokens.js";

/** A text with bare `NaN`, `Infinity` or `-Infinity`, as Python's json writes numbers that are not finite. */
export interface NonFiniteText {
  /** The same text with a number in the place of each of them: JSON, with every offset as it was. */
  readonly json: string;
  /** The words, in order, and where they begin in the text, in UTF-16 code units from 0. */
  readonly words: readonly NonFiniteWord[];
}

interface NonFiniteWord {
  readonly word: string;
  readonly start: number;
}

/** Such a word that stands alone: `-NaN` and `NaNs` are none. */
const WORD = /(?<![\w$.+-])(?:NaN|-?Infinity)(?![\w$])/g;
const BACKSLASH = 0x5c;

/**
 * Parses JSON as `JSON.parse` does, and reads bare `NaN`, `Infinity` and `-Infinity` as null; whatever else
 * is no JSON is refused. A text that is JSON is parsed once, and not looked at otherwise.
 */
export class NonFiniteParser {
  #latest: NonFiniteText | undefined;

  /** What the latest text held of them; undefined when it held none. */
  get latest(): NonFiniteText | undefined {
    return this.#latest;
  }

  /** Throws SyntaxError, which says the position in `text`. */
  parse(text: string): unknown {
    this.#latest = undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      const found = findNonFinite(text);
      if (found === undefined) throw error;
      const value: unknown = parseWith(found);
      this.#latest = found;
      return value;
    }
  }
}

/** JSON Pointer of the first of the words in its text. */
export function locateFirst({ json, words: [first] }: NonFiniteText): string {
  for (const { kind, start, pointer } of scanJson(json)) {
    if (kind === "number" && start === first?.start) return pointer();
  }
  return "";
}

/** Undefined when none of the words stands outside of strings. */
function findNonFinite(text: string): NonFiniteText | undefined {
  if (!text.includes("NaN") && !text.includes("Infinity")) return undefined;
  const words: NonFiniteWord[] = [];
  let json = "";
  let end = 0;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const outside = text.slice(at, quote < 0 ? text.length : quote);
    for (const { 0: word, index } of outside.matchAll(WORD)) {
      const start = at + index;
      words.push({ word, start });
      json += text.slice(end, start) + (word.startsWith("-") ? "-0" : "0").padEnd(word.length);
      end = start + word.length;
    }
    at = quote < 0 ? text.length : endOfString(text, quote);
  }
  return words.length === 0 ? undefined : { json: json + text.slice(end), words };
}

function parseWith({ json, words }: NonFiniteText): unknown {
  let text = "";
  let end = 0;
  for (const { word, start } of words) {
    text += `${json.slice(end, start)}null`;
    end = start + word.length;
  }
  try {
    return JSON.parse(text + json.slice(end));
  } catch {
    throw locatedError(json);
  }
}

/** What is wrong with a text beside the words; its position is the same in the text with them. */
function locatedError(json: string): SyntaxError {
  try {
    JSON.parse(json);
  } catch (error) {
    const { column, message } = describeSyntaxError(json, error);
    // In a long text the place is unknown, and is left out.
    const place = message.includes(":") ? ` at position ${column - 1}` : "";
    return new SyntaxError(`not JSON${place}`);
  }
  throw new TypeError("a text is JSON with 0, and not with null");
}

/** Where the string that begins at `start` has ended; the text's end for one that does not. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}
