import { constants, isAscii } from "node:buffer";
import { fileURLToPath } from "node:url";
import type { EntryTypeName } from "#generated/index.js";
import { openInput } from "../files/open-input.js";
import { displayName, type InputSource, processSource, STDIN } from "../files/source.js";
import { describeSyntaxError, findInvalidUtf8 } from "../json/syntax-error.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { formatCount, previewValue } from "../text.js";
import { type SourceLine, splitLines } from "./blocks.js";
import { positionInRecord } from "./document.js";

/** Why a line contains no record: `json` if it is not JSON in UTF-8, `type` if it is not an object. */
export interface LineFault {
  readonly id: "json" | "type";
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  /** As in a finding. */
  readonly cause?: string;
}

type ParsedLine =
  | { readonly text: string; readonly value: JsonObject }
  | { readonly fault: LineFault };

/** Parses a JSON text. Throws SyntaxError if it is not JSON. */
type JsonParser = (text: string) => unknown;

/** Parses one line of JSONL, given without its newline. A bad line is a result, never an exception. */
export function parseLine(bytes: Buffer, parse: JsonParser = JSON.parse): ParsedLine {
  const ascii = isAscii(bytes);
  const invalid = ascii ? undefined : findInvalidUtf8(bytes);
  if (invalid !== undefined) return { fault: describeInvalidUtf8(bytes, invalid) };
  // For ASCII both decodings are equal, and latin1 is four times as fast.
  const text = bytes.toString(ascii ? "latin1" : "utf8");
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return { fault: { id: "json", ...describeSyntaxError(text, error) } };
  }
  if (isJsonObject(value)) return { text, value };
  const cause = "must be an object";
  const message = `${cause}, is ${previewValue(value)}`;
  return { fault: { id: "type", column: text.search(/\S/) + 1, message, cause } };
}

function describeInvalidUtf8(bytes: Buffer, offset: number): LineFault {
  const column = bytes.toString("utf8", 0, offset).length + 1;
  const byte = bytes.toString("hex", offset, offset + 1);
  return { id: "json", column, message: `not UTF-8: byte 0x${byte}`, cause: "not UTF-8" };
}

interface Place {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** From 1; blank lines count. */
  readonly line: number;
  /** Length of the line in bytes without its line break; 0 if it is too long to be a string. */
  readonly byteLength: number;
  /** For a record of a JSON text: see `SourceLine`. */
  readonly column?: number | undefined;
}

/** A line whose text is known, which is needed for the columns of findings. */
export interface TextLine extends Place {
  readonly text: string;
}

/** A line that contains a JSON object. */
export interface ParsedRecord extends TextLine {
  readonly value: JsonObject;
  /**
   * True if the line is known to follow all line rules and to nest at most 100 levels deep. Otherwise this has
   * to be checked.
   */
  readonly followsLineRules?: boolean;
  /**
   * A type for which the record is known to be structurally valid. Its line follows all line rules then, and the value
   * may lack fields that no check reads: see `BranchReader`.
   */
  readonly validFor?: EntryTypeName | undefined;
  /** The value as far as rules have to see it. Default: the value. */
  readonly ruled?: JsonObject | undefined;
}

/** A line that contains no JSON object. */
export interface FaultyLine extends Place {
  readonly fault: LineFault;
  /** Where the fault is in the file, if it is in a record of a JSON text. */
  readonly position?: { readonly line: number; readonly column: number };
}

export type RecordLine = ParsedRecord | FaultyLine;

/** Parses a line of `file`. A bad line is a result, never an exception. */
export function toRecordLine(
  file: string,
  { line, bytes, column, isStray }: SourceLine,
  parse?: JsonParser,
): RecordLine {
  if (bytes === undefined) return { file, line, byteLength: 0, fault: tooLong() };
  const parsed = isStray ? { fault: STRAY } : parseLine(bytes, parse);
  const place = { file, line, byteLength: bytes.length };
  if (column === undefined) return { ...place, ...parsed };
  if (!("fault" in parsed)) return { ...place, column, ...parsed };
  const { fault } = parsed;
  const position = positionInRecord(bytes.toString("utf8"), fault.column - 1, { line, column });
  return { ...place, column, fault, position };
}

const STRAY: LineFault = {
  id: "json",
  column: 1,
  message: "not JSON: text after the end of the array",
};

function tooLong(): LineFault {
  const limit = formatCount(constants.MAX_STRING_LENGTH, "byte");
  const message = `line of more than ${limit}: exceeds the maximum string length`;
  return { id: "json", column: 1, message };
}

/** Turns lines into records. */
export interface RecordReader {
  read(file: string, source: SourceLine): RecordLine;
  /** Returns the bytes from which a value of a record was parsed; undefined if they are not known. */
  bytesOf(value: object): Uint8Array | undefined;
}

/** Parses every line completely. */
export const wholeReader: RecordReader = {
  read: toRecordLine,
  bytesOf: () => undefined,
};

/**
 * What records are read from: the path or the URL of a file, or paths of several, where `-` is standard input, or a
 * stream of bytes or text, such as the body of a response.
 */
export type RecordInput = string | URL | readonly string[] | AsyncIterable<Uint8Array | string>;

/**
 * Streams the non-blank lines of JSONL, file by file, in batches of at most one chunk of the stream. Decompresses gzip
 * and zstd. A bad line is a result. An input that cannot be read throws UserError (exit 3), and what is no input
 * TypeError. Lines of a stream have `<stdin>` for the name of their file.
 */
export async function* readRecords(
  input: RecordInput,
  source: InputSource = processSource,
): AsyncGenerator<RecordLine[]> {
  const from = isStream(input) ? { cwd: "", stdin: input } : source;
  const files = isStream(input) ? [STDIN] : toPaths(input);
  for (const file of files) {
    for await (const batch of splitLines(openInput(file, from))) {
      yield batch.map((line) => toRecordLine(displayName(file), line));
    }
  }
}

function isStream(input: RecordInput): input is AsyncIterable<Uint8Array | string> {
  return Symbol.asyncIterator in Object(input);
}

function toPaths(input: Exclude<RecordInput, AsyncIterable<unknown>>): readonly string[] {
  if (typeof input === "string") return [input];
  if (Array.isArray(input)) return input;
  if (input instanceof URL && input.protocol === "file:") return [fileURLToPath(input)];
  const kinds = "the path or the URL of a file, paths, or a stream such as response.body";
  const given = input instanceof URL ? input.href : Object.prototype.toString.call(input);
  throw new TypeError(`records are read from ${kinds}, not from ${given}`);
}
