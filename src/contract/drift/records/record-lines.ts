import { isUtf8 } from "node:buffer";
import { tryParseJson } from "../../../base/json/value.js";

/** A line of a JSONL file that is not blank. */
export interface RecordLine {
  /** 1-based. */
  readonly line: number;
  /** Undefined if it is no JSON. */
  readonly record: unknown;
  readonly text: string;
}

/** Longer lines, in bytes, are no JSON: a string cannot hold them. Nor are those that are not UTF-8. */
const MAX_LINE = 2 ** 28;

const LF = 0x0a;

/** The lines of a JSONL file of any size. A byte-order mark is ignored. */
export function* readRecordLines(bytes: Buffer): Generator<RecordLine> {
  let start = 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    const isText = end - start <= MAX_LINE && isUtf8(bytes.subarray(start, end));
    const text = isText ? bytes.toString("utf8", start, end) : "...";
    const plain = line === 1 ? text.replace(/^\ufeff/, "") : text;
    if (plain.trim() !== "") yield { line, record: tryParseJson(plain), text: plain };
    start = end + 1;
  }
}
