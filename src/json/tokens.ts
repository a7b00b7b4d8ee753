import { toPointerToken } from "./pointer.js";

/** A key, a string or a number in a JSON text. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number";
  /** Where it begins in the text, and where it ends, in UTF-16 code units from 0. */
  readonly start: number;
  readonly end: number;
  /** The object or the array that it is in, the same for all that are in it. */
  readonly owner: object;
  /** The key below which the value stands, with nothing but arrays between; undefined when there is none. */
  readonly field: string | undefined;
  /** JSON Pointer of the value; of a key, that of its value. To be called before the next token. */
  pointer(): string;
}

interface Container {
  readonly isArray: boolean;
  /** Of an array: the key below which it stands, as of a token. */
  readonly field: string | undefined;
  /** Key or index of the child under way. */
  at: string | number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const NUMBER = /[-+.\deE]+/y;

/**
 * The keys, strings and numbers of a text that is valid JSON, in its order: what `JSON.parse` would not
 * tell of, or not exactly. Does not recurse.
 */
export function* scanJson(text: string): Generator<JsonToken> {
  const open: Container[] = [];
  const root: Container = { isArray: true, field: undefined, at: "" };
  const pointer = (): string => open.map(({ at }) => `/${toPointerToken(at)}`).join("");
  for (let index = 0; index < text.length; index += 1) {
    const owner = open.at(-1) ?? root;
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const [start, end] = [index, endOfString(text, index)];
      index = end - 1;
      const isKey = !owner.isArray && isBeforeColon(text, end);
      if (isKey) owner.at = unquote(text.slice(start, end));
      const kind = isKey ? "key" : "string";
      yield { kind, start, end, owner, field: fieldOf(owner), pointer };
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = index;
      NUMBER.test(text);
      const [start, end] = [index, NUMBER.lastIndex];
      index = end - 1;
      yield { kind: "number", start, end, owner, field: fieldOf(owner), pointer };
    } else if (code === 0x7b) open.push({ isArray: false, field: undefined, at: "" });
    else if (code === 0x5b) open.push({ isArray: true, field: fieldOf(owner), at: 0 });
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === COMMA && typeof owner.at === "number") owner.at += 1;
  }
}

function fieldOf(owner: Container): string | undefined {
  return owner.isArray ? owner.field : String(owner.at);
}

/** Value of a quoted JSON string. */
export function unquote(quoted: string): string {
  const value: unknown = JSON.parse(quoted);
  return String(value);
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index + 1;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

function isBeforeColon(text: string, end: number): boolean {
  let index = end;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
  return text.charCodeAt(index) === COLON;
}

/**
 * How many colons of a JSON text stand behind the quote of a string. Every key has one, so that there are
 * no fewer than keys; a string that begins with a colon makes one more.
 */
export function countKeyMarks(text: string): number {
  let count = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let before = colon - 1;
    while (isSpace(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === QUOTE && !isEscaped(text, before)) count += 1;
  }
  return count;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (index - start) % 2 === 1;
}
