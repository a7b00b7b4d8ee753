import { constants, isAscii } from "node:buffer";
import { findInvalidUtf8 } from "../json/syntax-error.js";
import { formatCount } from "../text.js";
import type { SourceLine } from "./blocks.js";
import {
  type JsonParser,
  type LineFault,
  type ParsedLine,
  parseText,
  positionInRecord,
  type RecordLine,
} from "./record-line.js";

export type { FaultyLine, ParsedRecord, RecordLine, TextLine } from "./record-line.js";

/** Parses one line of JSONL, given without its newline. A bad line is a result, never an exception. */
export function parseLine(bytes: Buffer, parse?: JsonParser): ParsedLine {
  const ascii = isAscii(bytes);
  const invalid = ascii ? undefined : findInvalidUtf8(bytes);
  if (invalid !== undefined) return { fault: describeInvalidUtf8(bytes, invalid) };
  // For ASCII both decodings are equal, and latin1 is four times as fast.
  return parseText(bytes.toString(ascii ? "latin1" : "utf8"), parse);
}

function describeInvalidUtf8(bytes: Buffer, offset: number): LineFault {
  const column = bytes.toString("utf8", 0, offset).length + 1;
  const byte = bytes.toString("hex", offset, offset + 1);
  return { id: "json", column, message: `not UTF-8: byte 0x${byte}`, cause: "not UTF-8" };
}

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
