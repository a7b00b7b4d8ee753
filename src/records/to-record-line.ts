import { constants } from "node:buffer";
import type { SourceLine } from "./block-lines.js";
import { formatCount } from "./format-count.js";
import type { JsonObject } from "./json-object.js";
import { type JsonParser, type LineFault, parseLine } from "./parse-line.js";

interface Place {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** From 1; blank lines count. */
  readonly line: number;
  /** Length of the line without its line break; 0 when it is too long to be held. */
  readonly byteLength: number;
}

/** A line that holds a JSON object, with its text so that a finding can be given a column. */
export interface ParsedRecord extends Place {
  readonly text: string;
  readonly value: JsonObject;
  /**
   * Whether the line is known to follow all rules for lines, with nothing nested more than 100 levels deep; otherwise
   * that has to be looked at.
   */
  readonly followsLineRules?: boolean;
}

/** A line that holds none. */
export interface FaultyLine extends Place {
  readonly fault: LineFault;
}

export type RecordLine = ParsedRecord | FaultyLine;

/** Parses a line of `file`. A bad line is a result, never an exception. */
export function toRecordLine(
  file: string,
  { line, bytes }: SourceLine,
  parse?: JsonParser,
): RecordLine {
  if (bytes === undefined) return { file, line, byteLength: 0, fault: tooLong() };
  return { file, line, byteLength: bytes.length, ...parseLine(bytes, parse) };
}

function tooLong(): LineFault {
  const limit = formatCount(constants.MAX_STRING_LENGTH, "byte");
  const message = `line of more than ${limit}: longer than a string can be`;
  return { id: "json", column: 1, message };
}
