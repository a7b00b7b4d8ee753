import { isJsonObject } from "./json-object.js";
import type { LineParser } from "./line-parser.js";

/**
 * Stands in a line for the value that was cut out of it. Looked for in every line first, so that no
 * line can hold it by chance or by intent.
 */
const PLACEHOLDER = "-7.300241990461e-271";
const PLACEHOLDER_VALUE = Number(PLACEHOLDER);

const SPACE = /\s/;

/**
 * Parses JSON objects as `JSON.parse` does, and remembers the bytes of the value under one key, so that
 * they can be copied instead of being printed again, which costs as much as parsing them.
 *
 * Where that value ends is guessed by the key that follows it, which in one file is nearly always the
 * same; a wrong guess is noticed, and then the bytes are not known.
 */
export class CopyingParser implements LineParser {
  readonly #mark: string;
  readonly #key: string;
  readonly #bytes = new Map<object, Uint8Array>();
  /** The key after ours in the latest object; undefined when ours came last. */
  #nextKey: string | undefined;

  constructor(key: string) {
    this.#key = key;
    this.#mark = `${JSON.stringify(key)}:`;
  }

  /** Throws SyntaxError as `JSON.parse` does. */
  parse(text: string, bytes: Uint8Array): unknown {
    const guessed = this.#parseInParts(text, bytes);
    if (guessed !== undefined) return guessed;
    const whole: unknown = JSON.parse(text);
    if (!isJsonObject(whole)) return whole;
    const keys = Object.keys(whole);
    const ours = keys.indexOf(this.#key);
    if (ours < 0) return whole;
    this.#nextKey = keys[ours + 1];
    return this.#parseInParts(text, bytes) ?? whole;
  }

  bytesOf(value: object): Uint8Array | undefined {
    return this.#bytes.get(value);
  }

  forget(record: object): void {
    const value: unknown = Reflect.get(record, this.#key);
    if (typeof value === "object" && value !== null) this.#bytes.delete(value);
  }

  #parseInParts(text: string, bytes: Uint8Array): object | undefined {
    const range = this.#guessRange(text);
    if (range === undefined) return undefined;
    const head = text.slice(0, range.start);
    const copied = text.slice(range.start, range.end);
    const tail = text.slice(range.end);
    if (head.includes(PLACEHOLDER) || tail.includes(PLACEHOLDER)) return undefined;
    // In a file that is read with universal newlines, a carriage return would end the line.
    if (copied.includes("\r")) return undefined;
    try {
      const value: unknown = JSON.parse(copied);
      const rest: unknown = JSON.parse(head + PLACEHOLDER + tail);
      if (!isJsonObject(rest) || rest[this.#key] !== PLACEHOLDER_VALUE) return undefined;
      Reflect.set(rest, this.#key, value);
      if (typeof value === "object" && value !== null) {
        // Of ASCII, a text has as many bytes as characters.
        const sizeOf = bytes.length === text.length ? lengthOf : Buffer.byteLength;
        this.#bytes.set(value, bytes.subarray(sizeOf(head), bytes.length - sizeOf(tail)));
      }
      return rest;
    } catch {
      // Either the guess was wrong or the text is not JSON: parsing it whole tells.
      return undefined;
    }
  }

  #guessRange(text: string): { readonly start: number; readonly end: number } | undefined {
    const mark = text.indexOf(this.#mark);
    if (mark < 0) return undefined;
    let start = mark + this.#mark.length;
    while (SPACE.test(text.charAt(start))) start += 1;
    // What ends the value: the comma before the next key, or the object's own brace.
    const [before, last] =
      this.#nextKey === undefined
        ? [text.length, "}"]
        : [text.lastIndexOf(`${JSON.stringify(this.#nextKey)}:`), ","];
    let end = text.lastIndexOf(last, before);
    while (SPACE.test(text.charAt(end - 1))) end -= 1;
    return end > start ? { start, end } : undefined;
  }
}

function lengthOf(text: string): number {
  return text.length;
}
