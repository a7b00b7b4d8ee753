import { createHash } from "node:crypto";
import { readText } from "../../../base/files/inputs.js";
import { displayName, type InputSource, processSource } from "../../../base/files/source.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import { UserError } from "../../../base/user-error.js";
import type { EvalItem, EvalItemRef } from "../../wire/decontamination/corpus.js";

/** A string or a JSON value, with the line on which it begins. */
interface Placed<Value> {
  readonly line: number;
  readonly value: Value;
}

/**
 * Parses the items of an evaluation set. The content determines the format:
 * - a JSON array of strings or objects;
 * - JSONL of strings or objects, if the first line is an object or a whole JSON string;
 * - otherwise plain text, one item per line.
 *
 * Blank lines are skipped, and lines may end in CRLF. `toEvalItem` determines an object's text and id. An item
 * without an id gets `#` and its number, from 1.
 *
 * Items and errors contain the name `file`. `field` is the field with an object's text, by default one of
 * `EVAL_FIELDS`; strings have no fields.
 *
 * Throws UserError (exit 3), with file and line, for a value that is not an item, for an item without
 * text, and for a set without items.
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
    const array = tryParseJson(text.trim());
    if (Array.isArray(array)) return placeElements(array, text);
    // A question may begin with a bracket, but not with `["` or `[{`.
    if (/^\[\s*(?:["{]|$)/.test(text.trim())) throw brokenArray(text, file, first.line);
  }
  const isJsonl = first.value.startsWith("{") || typeof tryParseJson(first.value) === "string";
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
    const parsed = tryParseJson(value);
    if (parsed === undefined) {
      throw new UserError(`${file}:${line}: not JSON, but line ${lines[0]?.line} is JSONL`);
    }
    return { line, value: parsed };
  });
}

/** Rejects plain text that contains JSON objects: then the first line is a header or a broken record. */
function checkPlainText(lines: readonly Placed<string>[], file: string): readonly Placed<string>[] {
  const object = lines.find(
    ({ value }) => value.startsWith("{") && tryParseJson(value) !== undefined,
  );
  if (object === undefined) return lines;
  throw new UserError(
    `${file}:${object.line}: a JSON object, but line ${lines[0]?.line} is plain text`,
  );
}

/** Reports the first element that does not parse by itself, or the array if each of them does. */
function brokenArray(text: string, file: string, arrayLine: number): UserError {
  const elements = findArrayElements(text);
  const index = elements.findIndex(({ start }, position) => {
    const source = text.slice(start, elements[position + 1]?.start).trim();
    return tryParseJson(source.replace(/[,\]]$/, "")) === undefined;
  });
  const broken = elements[index];
  return broken === undefined
    ? new UserError(`${file}:${arrayLine}: the JSON array that begins here is not closed`)
    : new UserError(`${file}:${broken.line}: not JSON, in element ${index + 1} of the array`);
}

/** Position of an element of a JSON array. */
interface ArrayElement {
  /** Line, from 1. */
  readonly line: number;
  /** Offset in UTF-16 code units. */
  readonly start: number;
}

/**
 * Finds the elements of the JSON array `json`, in order. White space around it is allowed. If the array is
 * invalid, the elements up to and including the faulty one are still correct. Linear.
 */
export function findArrayElements(json: string): ArrayElement[] {
  const elements: ArrayElement[] = [];
  let line = 1;
  let depth = 0;
  let inString = false;
  let elementDue = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === "\n") line += 1;
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
      continue;
    }
    if (char === " " || char === "\t" || char === "\r" || char === "\n") continue;
    if (elementDue && char !== "]") {
      elements.push({ line, start: at });
      elementDue = false;
    }
    if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    const begins = depth === 1 && char === "[" && elements.length === 0;
    if (begins || (depth === 1 && char === ",")) elementDue = true;
  }
  return elements;
}

/** Fields in which evaluation sets store their text, in order of preference. */
export const EVAL_FIELDS: readonly string[] = ["prompt", "question", "task", "input", "text"];

/**
 * Converts a value of an evaluation set to an item. A string is the text. An object has its text in `field`, or
 * by default in the first of `EVAL_FIELDS` with a non-blank string. The `id` of an object (a string or a
 * number) replaces the given one.
 *
 * Throws UserError (exit 3) for any other value and for an item without text: it would match nothing, so
 * everything would pass.
 */
export function toEvalItem(
  value: unknown,
  { file, line, id }: EvalItemRef,
  field?: string,
): EvalItem {
  const place = `${file}:${line}`;
  if (typeof value === "string") {
    if (field !== undefined) {
      throw new UserError(`${place}: a string, so it has no field ${field}`);
    }
    if (isText(value)) return { id, text: value, file, line };
    throw new UserError(`${place}: an evaluation item without text`);
  }
  if (!isJsonObject(value)) {
    throw new UserError(`${place}: an evaluation item must be a string or an object`);
  }
  const fields = field === undefined ? EVAL_FIELDS : [field];
  const text = fields.map((name) => value[name]).find(isText);
  if (text === undefined) {
    const hint = field === undefined ? "; name its field with --eval-field" : "";
    throw new UserError(
      `${place}: an evaluation item without text in the field ${fields.join(", ")}${hint}`,
    );
  }
  const { task_role: role = "user" } = value;
  if (role !== "user" && text === value.task) {
    throw new UserError(
      `${place}: the task of this branch is not a user's (task_role): name the field of the item's text with --eval-field`,
    );
  }
  return { id: isId(value.id) ? String(value.id) : id, text, file, line };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isId(value: unknown): value is string | number {
  return typeof value === "number" || isText(value);
}

/** Files whose lines are not items. */
const TABLES = /\.(?:csv|tsv|ya?ml)(?:\.gz|\.zst)?$/i;

/** How `readEvalItems` finds the text of an item. */
export interface EvalItemOptions {
  /** Field that contains an object's text. Default: the first of `EVAL_FIELDS` that does. */
  readonly field?: string | undefined;
}

/** A file with an evaluation set, as it was read. */
export interface EvalFile {
  /** As the user named it, or `<stdin>`. */
  readonly file: string;
  /** Size as stored, compressed or not. */
  readonly bytes: number;
  /** `sha256:` and the hexadecimal hash of those bytes. */
  readonly sha256: string;
}

/**
 * Reads one evaluation set with at least one item, in any form that `parseEvalItems` accepts. Decompresses
 * files; `-` is standard input. The whole text is held in memory (up to 512 MiB).
 *
 * Throws UserError (exit 3) if the file cannot be read or is not UTF-8, and as `parseEvalItems` does.
 */
export async function readEvalItems(
  file: string,
  options: EvalItemOptions = {},
  source: InputSource = processSource,
): Promise<EvalItem[]> {
  return (await readEvalFile(file, options, source)).items;
}

/** The same, with what the file is. */
export async function readEvalFile(
  file: string,
  { field }: EvalItemOptions,
  source: InputSource,
): Promise<{ readonly items: EvalItem[]; readonly file: EvalFile }> {
  // As plain text, their rows would match no task, so the gate would pass everything.
  if (TABLES.test(file)) {
    throw new UserError(
      `${displayName(file)}: tables and YAML are not supported: use JSONL, a JSON array or text lines`,
    );
  }
  const name = displayName(file);
  const hash = createHash("sha256");
  let bytes = 0;
  const onStored = (chunk: Uint8Array): void => {
    hash.update(chunk);
    bytes += chunk.length;
  };
  const items = parseEvalItems(await readText(file, source, { onStored }), name, field);
  return { items, file: { file: name, bytes, sha256: `sha256:${hash.digest("hex")}` } };
}
