import type { SourceLine } from "./block-lines.js";
import { type RecordLine, toRecordLine } from "./to-record-line.js";

/** Makes records of lines. */
export interface RecordReader {
  read(file: string, source: SourceLine): RecordLine;
  /** The bytes that a value of a record came with; undefined when they are not known. */
  bytesOf(value: object): Uint8Array | undefined;
}

/** Reads all of every line. */
export const wholeReader: RecordReader = {
  read: toRecordLine,
  bytesOf: () => undefined,
};
