import { isUtf8 } from "node:buffer";
import { previewValue } from "../text.js";

/** Why a text is not JSON, and the column of the error, from 1 in UTF-16 code units. */
export interface SyntaxFault {
  readonly column: number;
  readonly message: string;
}

/** A syntax error with its position. */
export class LocatedSyntaxError extends SyntaxError {
  /** From 0, in UTF-16 code units. */
  readonly offset: number;

  constructor(offset: number) {
    super(`not JSON at position ${offset}`);
    this.offset = offset;
  }
}

/**
 * Says where and why `text` is not JSON, given the error that parsing it threw. Each runtime words the errors of
 * `JSON.parse` in its own way, mostly without a position, so they are not read.
 */
export function describeSyntaxError(text: string, error: unknown): SyntaxFault {
  const { offset } = error instanceof LocatedSyntaxError ? error : (findSyntaxError(text) ?? {});
  if (offset === undefined) return { column: 1, message: "not JSON" };
  return { column: offset + 1, message: `not JSON: unexpected ${unexpectedAt(text, offset)}` };
}

/** The first syntax error of `text`; undefined if it is JSON. */
export function findSyntaxError(text: string): LocatedSyntaxError | undefined {
  try {
    requireJson(text);
    return undefined;
  } catch (error) {
    if (error instanceof LocatedSyntaxError) return error;
    throw error;
  }
}

/** What may come next. `first`: a value or a key, or the end of the array or object that was opened just before. */
type Expected = "first" | "value" | "key" | "colon" | "end";

/** Reads a JSON text, without recursion. Throws LocatedSyntaxError for the first character or word that is wrong. */
function requireJson(text: string): void {
  const closers: string[] = [];
  let expected: Expected = "value";
  for (let at = skip(SPACE, text, 0); at < text.length; at = skip(SPACE, text, at)) {
    const char = text.charAt(at);
    const closer = closers.at(-1);
    const inObject = closer === "}";
    if (char === closer && (expected === "first" || expected === "end")) {
      closers.pop();
      expected = "end";
      at += 1;
    } else if (expected === "end") {
      if (char !== "," || closer === undefined) throw new LocatedSyntaxError(at);
      expected = inObject ? "key" : "value";
      at += 1;
    } else if (expected === "colon") {
      if (char !== ":") throw new LocatedSyntaxError(at);
      expected = "value";
      at += 1;
    } else if (expected === "key" || (expected === "first" && inObject)) {
      if (char !== '"') throw new LocatedSyntaxError(at);
      expected = "colon";
      at = endOfString(text, at);
    } else if (char === "{" || char === "[") {
      closers.push(char === "{" ? "}" : "]");
      expected = "first";
      at += 1;
    } else {
      expected = "end";
      at = char === '"' ? endOfString(text, at) : endOfWord(text, at);
    }
  }
  if (expected !== "end" || closers.length > 0) throw new LocatedSyntaxError(text.length);
}

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings.
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))?/y;
const ESCAPE_START = /\\(?:u[\da-fA-F]{0,3})?/y;
/** A number as far as it goes: it is complete if it ends with a digit. */
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<=\d)[eE][-+]?\d*)?)?/y;

/** Offset after what `pattern`, which is sticky and may match nothing, matches at `at`. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    at = skip(PLAIN_TEXT, text, at);
    if (text.charAt(at) === '"') return at + 1;
    const end = skip(ESCAPE, text, at);
    if (end === at) throw new LocatedSyntaxError(skip(ESCAPE_START, text, at));
    at = end;
  }
}

/** Offset after the number, `true`, `false` or `null` at `start`. */
function endOfWord(text: string, start: number): number {
  const end = skip(NUMBER, text, start);
  if (end > start) {
    if (/\d/.test(text.charAt(end - 1))) return end;
    throw new LocatedSyntaxError(end);
  }
  for (const word of ["true", "false", "null"]) {
    if (text.startsWith(word, start)) return start + word.length;
    const rest = text.slice(start, start + word.length);
    if (word.startsWith(rest)) throw new LocatedSyntaxError(text.length);
  }
  throw new LocatedSyntaxError(start);
}

/** Words that other languages write for values. Any other word may be a secret, so messages do not quote it. */
const FOREIGN_WORD =
  /^(?:NaN|nan|Infinity|inf|undefined|True|False|None|TRUE|FALSE|NULL|Null|nil)(?!\w)/;

/** Describes the input at `offset`: its end, a word such as `NaN`, or one character. */
function unexpectedAt(text: string, offset: number): string {
  if (offset >= text.length) return "end of input";
  const rest = text.slice(offset, offset + 20);
  const word = FOREIGN_WORD.exec(rest)?.[0];
  if (word === undefined) return previewValue(String.fromCodePoint(rest.codePointAt(0) ?? 0));
  const key = KEY.exec(text.slice(Math.max(0, offset - MAX_KEY), offset))?.[1];
  return key === undefined ? word : `${word} in ${previewValue(toKey(key))}`;
}

/** The key whose value comes next. */
const KEY = /"((?:[^"\\]|\\.){1,100})"\s{0,9}:\s{0,9}-?$/;

/** More than a key that `KEY` finds. */
const MAX_KEY = 250;

/** A key as it is, or as it is written if that is no JSON. */
function toKey(written: string): string {
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written;
  }
}

/** Offset of the first invalid UTF-8 byte; undefined if there is none. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // A round trip through a string changes the first invalid byte and nothing before it.
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const offset = bytes.findIndex((byte, at) => byte !== again[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}
