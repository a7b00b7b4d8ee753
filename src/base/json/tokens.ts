import { toPointerToken } from "./pointer.js";

/** A key, a string or a number in a JSON text. */
export interface JsonToken {
  readonly kind: "key" | "string" | "number";
  /** Start and end offsets in the text, in UTF-16 code units from 0. */
  readonly start: number;
  readonly end: number;
  /** The enclosing object or array: all tokens directly inside it share this value. */
  readonly owner: JsonContainer;
  /** The nearest enclosing key, with only arrays in between; undefined if there is none. */
  readonly field: string | undefined;
  /** JSON Pointer of the value; for a key, the pointer of its value. Call it before requesting the next token. */
  pointer(): string;
}

/** An object or array in a JSON text. */
export interface JsonContainer {
  readonly isArray: boolean;
  /** The object or array around it. Undefined for the text as a whole, which counts as an array with one element. */
  readonly parent: JsonContainer | undefined;
  /** Its key or index in `parent`. */
  readonly name: string | number;
}

interface Container extends JsonContainer {
  /** For an array: its own `field`, as for a token. */
  readonly field: string | undefined;
  /** Key or index of the child being read. */
  at: string | number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const NUMBER = /[-+.\deE]+/y;

/**
 * Yields the keys, strings and numbers of a valid JSON text in order. Unlike `JSON.parse`, it keeps duplicate
 * keys, exact digits and positions. Does not recurse.
 */
export function* scanJson(text: string): Generator<JsonToken> {
  const open: Container[] = [];
  const root: Container = { isArray: true, parent: undefined, name: "", field: undefined, at: "" };
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
    } else if (code === 0x7b) open.push(enter(owner, false));
    else if (code === 0x5b) open.push(enter(owner, true));
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === COMMA && typeof owner.at === "number") owner.at += 1;
  }
}

/**
 * The text with a number of the same length in place of each object and array that is nested more than `levels` deep: valid
 * JSON if the text is, with the same offsets. Does not recurse.
 */
export function cutNesting(text: string, levels: number): string {
  let cut = "";
  let [depth, start, done] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) {
      if (depth === levels) start = at;
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth !== levels) continue;
      const inner = text.slice(start + 1, at + 1);
      cut += `${text.slice(done, start)}0${inner.replaceAll(/[^\n]/g, " ")}`;
      done = at + 1;
    }
  }
  return cut + text.slice(done);
}

function enter(parent: Container, isArray: boolean): Container {
  const field = isArray ? fieldOf(parent) : undefined;
  return { isArray, parent, name: parent.at, field, at: isArray ? 0 : "" };
}

function fieldOf(owner: Container): string | undefined {
  return owner.isArray ? owner.field : String(owner.at);
}

/** Decodes a quoted JSON string. */
export function unquote(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  const value: unknown = JSON.parse(quoted);
  return String(value);
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote + 1;
}

function isBeforeColon(text: string, end: number): boolean {
  let index = end;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
  return text.charCodeAt(index) === COLON;
}

/**
 * Counts the colons that directly follow a quote. There is one per key, plus one for each string that begins
 * with a colon, so the result is an upper bound for the number of keys.
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
