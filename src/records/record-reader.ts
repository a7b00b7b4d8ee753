import type { SourceLine } from "./block-lines.js";
import { type ParsedRecord, type RecordLine, toRecordLine } from "./to-record-line.js";

/** A line in the two ways in which it can be read. */
export interface LineReading {
  /**
   * The record without that of it which need not be looked at: it is valid, and follows the rules, if and only if the
   * whole record does. Undefined when the line has to be read whole.
   */
  readonly outline: ParsedRecord | undefined;
  /** The record as it is. */
  whole(): RecordLine;
}

/** Makes records of lines. */
export interface RecordReader {
  read(file: string, source: SourceLine): LineReading;
  /** The bytes that a value of a record came with; undefined when they are not known. */
  bytesOf(value: object): Uint8Array | undefined;
}

/** Reads all of every line. */
export const wholeReader: RecordReader = {
  read: (file, source) => ({ outline: undefined, whole: () => toRecordLine(file, source) }),
  bytesOf: () => undefined,
};
