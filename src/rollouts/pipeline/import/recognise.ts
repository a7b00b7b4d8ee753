import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { InputSource } from "../../../base/files/source.js";
import { guessType } from "../../../base/json/entry-type.js";
import { isJsonObject } from "../../../base/json/value.js";
import { blockLines, type LineBlock } from "../../../base/jsonl/blocks.js";
import { FileBlocks } from "../../../base/jsonl/file-blocks.js";
import { formatCount, previewValue } from "../../../base/text.js";
import { beginsDocument, gatherFiles, LOG_ENTRIES, wholeSource } from "./documents.js";
import type { Form } from "./forms/form.js";
import { forms } from "./forms/index.js";
import { isMessageList } from "./forms/message-list.js";
import { isItemList } from "./forms/responses-items.js";
import { tryParseLog } from "./parse-log.js";

/** Most lines and bytes of a file by which its form is recognised: enough to see whether an id repeats. */
const SAMPLE_LINES = 1000;
const SAMPLE_BYTES = 2 ** 20;

/** Most bytes of a document that is read to see what it is. */
const MAX_DOCUMENT = 2 ** 26;

/**
 * The first values of a file: those of its lines, or that of the document that it is. None of a document that is too large.
 * Throws UserError (exit 3) if the file cannot be read.
 */
export async function takeSample(file: string, source: InputSource): Promise<readonly unknown[]> {
  const found = statSync(resolve(source.cwd, file), { throwIfNoEntry: false });
  const isSmall = found === undefined || found.size <= MAX_DOCUMENT;
  let isDocument = false;
  const read = new FileBlocks([file], source, { entries: LOG_ENTRIES }).read();
  const blocks = gatherFiles(read, (first) => {
    isDocument = beginsDocument(first);
    return isDocument && isSmall;
  });
  for await (const { block } of blocks) {
    if (!isDocument) return sampleLines(block);
    return isSmall ? sampleDocument(wholeSource(block.bytes).bytes) : [];
  }
  return [];
}

/** The values of the first lines of a file, as far as they are JSON. */
export function sampleLines(block: LineBlock): unknown[] {
  const values: unknown[] = [];
  let [lines, size] = [0, 0];
  for (const { bytes } of blockLines(block)) {
    if (lines === SAMPLE_LINES || size > SAMPLE_BYTES) break;
    lines += 1;
    size += bytes?.length ?? 0;
    const value = bytes && tryParseLog(bytes.toString("utf8"));
    if (value !== undefined) values.push(value);
  }
  return unwrapArrays(values);
}

/** The value of a document; none if it is not JSON. */
export function sampleDocument(bytes: Buffer | undefined): unknown[] {
  const value = bytes && tryParseLog(bytes.toString("utf8"));
  return value === undefined ? [] : unwrapArrays([value]);
}

/** The elements of arrays in their places, but for lists of messages, or of items of the Responses API. */
export function unwrapArrays(values: readonly unknown[]): unknown[] {
  return values
    .flatMap((value: unknown) =>
      Array.isArray(value) && !isMessageList(value) && !isItemList(value) ? value : [value],
    )
    .slice(0, SAMPLE_LINES);
}

/** The form of a file by the first values in it; undefined if none of the forms has such records. */
export function recogniseForm(sample: readonly unknown[]): Form | undefined {
  const [first] = sample;
  if (first === undefined || isOwnRecord(first)) return undefined;
  return forms.find((form) => form.recognise(sample));
}

/** Tells whether a value is a record of this format, or a branch that lacks something. */
function isOwnRecord(value: unknown): boolean {
  const guess = isJsonObject(value) ? guessType(value) : undefined;
  if (guess === undefined) return false;
  return guess.isComplete || (guess.isNear && guess.name.startsWith("RolloutBranch"));
}

/** Most keys of a record that a message names. */
const MAX_KEYS = 6;

/** Says what was seen in a file of no known form, and what to do. */
export function describeUnknown([first]: readonly unknown[]): string {
  const advice = `if it has a conversation, name its place by --map messages=/place, or prompt=/place,completion=/place; if you know its form, name that: ${forms.map(({ id }) => id).join(", ")}`;
  if (!isJsonObject(first)) return `is ${previewValue(first)}: no record of a log; ${advice}`;
  const keys = Object.keys(first);
  if (Object.hasOwn(first, "rollout_id") && Object.hasOwn(first, "tool_call_sequence")) {
    return "is a branch already: rank and export read it as it is";
  }
  if (["chosen", "rejected"].every((side) => keys.some((key) => key.startsWith(side)))) {
    return "is a pair already, with chosen and rejected: trainers read it as it is";
  }
  const named = keys
    .slice(0, MAX_KEYS)
    .map((key) => previewValue(key))
    .join(", ");
  const more = keys.length > MAX_KEYS ? ", …" : "";
  const what =
    keys.length === 0 ? "no keys" : `the ${formatCount(keys.length, "key")} ${named}${more}`;
  return `is an object with ${what}, in which no list of messages was found; ${advice}`;
}
