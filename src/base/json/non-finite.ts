import { findSyntaxError } from "./syntax-error.js";
import { scanJson } from "./tokens.js";

/** A text with bare `NaN`, `Infinity` or `-Infinity`, which Python's json module writes for non-finite numbers. */
export interface NonFiniteText {
  /** The same text with each bare word replaced by a number of the same length: valid JSON with unchanged offsets. */
  readonly json: string;
  /** The bare words in order, with their offsets in UTF-16 code units from 0. */
  readonly words: readonly NonFiniteWord[];
}

interface NonFiniteWord {
  readonly word: string;
  readonly start: number;
}

/** A bare word on its own: `-NaN` and `NaNs` do not match. */
const WORD = /(?<![\w$.+-])(?:NaN|-?Infinity)(?![\w$])/g;
const BACKSLASH = 0x5c;

/**
 * Parses JSON as `JSON.parse` does, but reads bare `NaN`, `Infinity` and `-Infinity` as null. Any other syntax
 * error is still thrown. Valid JSON is parsed once, without any extra scan.
 */
export class NonFiniteParser {
  #latest: NonFiniteText | undefined;

  /** The bare words of the most recent text; undefined if it had none. */
  get latest(): NonFiniteText | undefined {
    return this.#latest;
  }

  /** Throws SyntaxError with the position in `text`. */
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

/** JSON Pointer of the first bare word. */
export function locateFirst({ json, words: [first] }: NonFiniteText): string {
  for (const { kind, start, pointer } of scanJson(json)) {
    if (kind === "number" && start === first?.start) return pointer();
  }
  return "";
}

/** Undefined if no bare word occurs outside strings. */
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
  const rest = json.slice(end);
  try {
    return JSON.parse(text + rest);
  } catch (error) {
    // Offsets in `json` are those of the original text.
    throw findSyntaxError(json) ?? error;
  }
}

/** Offset just after the string that starts at `start`, or the text's length if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}
