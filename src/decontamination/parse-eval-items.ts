import { UserError } from "../user-error.js";
import { findArrayElements } from "./find-array-elements.js";
import type { EvalItem } from "./g3-finding.js";
import { toEvalItem } from "./to-eval-item.js";

/** A string or a JSON value, with the line on which it begins. */
interface Placed<Value> {
  readonly line: number;
  readonly value: Value;
}

/**
 * The items of an evaluation set. Its form is told by its content:
 * - a JSON array of strings or objects;
 * - JSONL of strings or objects, if the first line is an object or a whole JSON string;
 * - else plain text, an item per line.
 *
 * Blank lines are skipped, lines may end in CRLF. `toEvalItem` says where an object's text and id
 * come from; an item without an id is called `#` and its place among the items, from 1.
 *
 * `file` is named in items and errors. `field` holds an object's text, by default one of
 * `EVAL_FIELDS`; strings have no fields.
 *
 * Throws UserError (exit 3), with file and line, for what is not an item, for an item without text,
 * and for a set without items.
 */
export function parseEvalItems(text: string, file: string, field?: string): EvalItem[] {
  const values = parseValues(text, file);
  if (values.length === 0) {
    throw new UserError(`${file}: no evaluation items, so nothing to compare tasks with`);
  }
  return values.map(({ line, value }, index) =>
    toEvalItem(value, { file, line, id: `#${index + 1}` }, field),
  );
}

function parseValues(text: string, file: string): readonly Placed<unknown>[] {
  const lines = toLines(text);
  const first = lines[0];
  if (first === undefined) return [];
  if (first.value.startsWith("[")) {
    const array = parseJson(text.trim());
    if (Array.isArray(array)) return placeElements(array, text);
    // A question may begin with a bracket, but not with `["` or `[{`.
    if (/^\[\s*(?:["{]|$)/.test(text.trim())) throw brokenArray(text, file, first.line);
  }
  const isJsonl = first.value.startsWith("{") || typeof parseJson(first.value) === "string";
  return isJsonl ? parseJsonl(lines, file) : checkPlainText(lines, file);
}

function toLines(text: string): Placed<string>[] {
  return text
    .split("\n")
    .map((raw, index) => ({ line: index + 1, value: raw.trim() }))
    .filter(({ value }) => value !== "");
}

function placeElements(array: readonly unknown[], text: string): Placed<unknown>[] {
  return findArrayElements(text).map(({ line }, index) => ({ line, value: array[index] }));
}

function parseJsonl(lines: readonly Placed<string>[], file: string): Placed<unknown>[] {
  return lines.map(({ line, value }) => {
    const parsed = parseJson(value);
    if (parsed === undefined) {
      throw new UserError(
        `${file}:${line}: not JSON, in a set that line ${lines[0]?.line} made JSONL`,
      );
    }
    return { line, value: parsed };
  });
}

/** Plain text, unless JSONL follows a first line that is not JSON (a header, a broken record). */
function checkPlainText(lines: readonly Placed<string>[], file: string): readonly Placed<string>[] {
  const object = lines.find(({ value }) => value.startsWith("{") && parseJson(value) !== undefined);
  if (object === undefined) return lines;
  throw new UserError(
    `${file}:${object.line}: a JSON object, in a set that line ${lines[0]?.line} made plain text`,
  );
}

/** Names the first element that does not parse alone, or the array if each of them does. */
function brokenArray(text: string, file: string, arrayLine: number): UserError {
  const elements = findArrayElements(text);
  const index = elements.findIndex(({ start }, position) => {
    const source = text.slice(start, elements[position + 1]?.start).trim();
    return parseJson(source.replace(/[,\]]$/, "")) === undefined;
  });
  const broken = elements[index];
  return broken === undefined
    ? new UserError(`${file}:${arrayLine}: the JSON array that begins here does not end`)
    : new UserError(`${file}:${broken.line}: not JSON, in element ${index + 1} of the array`);
}

/** The value of a JSON text; undefined, which no JSON text has as its value, when it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
