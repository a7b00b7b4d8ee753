import type { EntryTypeName } from "#generated/index.js";
import { describeSyntaxError } from "../json/syntax-error.js";
import { isJsonObject, type JsonObject } from "../json/value.js";
import { previewValue } from "../text.js";

/** Why a line contains no record: `json` if it is not JSON in UTF-8, `type` if it is not an object. */
export interface LineFault {
  readonly id: "json" | "type";
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  readonly message: string;
  /** As in a finding. */
  readonly cause?: string;
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

/** A line of JSONL, with its record or its fault. */
export type RecordLine = ParsedRecord | FaultyLine;

export type ParsedLine =
  | { readonly text: string; readonly value: JsonObject }
  | { readonly fault: LineFault };

/** Parses a JSON text. Throws SyntaxError if it is not JSON. */
export type JsonParser = (text: string) => unknown;

/** Parses the text of one line. A bad line is a result, never an exception. */
export function parseText(text: string, parse: JsonParser = JSON.parse): ParsedLine {
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

/**
 * The position in a document of a character of a record: `offset` is in UTF-16 code units of `text`, from 0; `line` and
 * `column` are those of the record's beginning.
 */
export function positionInRecord(
  text: string,
  offset: number,
  { line, column }: { readonly line: number; readonly column: number },
): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split("\r");
  const last = lines.at(-1)?.length ?? 0;
  if (lines.length === 1) return { line, column: column + last };
  return { line: line + lines.length - 1, column: last + 1 };
}
