/**
 * The format of a segment, a file of a log. Its first line says which segment it is; each other line is a
 * record with its number in the log and its batch:
 *
 *     <crc> segment <log> <segment>
 *     <crc> <record> <batch> {...}
 *
 * `crc` is the CRC-32 of the rest of the line, in 8 hexadecimal digits. For a record it starts from the CRC of
 * the log's id and the segment's number, so that a line in the wrong place does not verify. The records of
 * a log are numbered from 1 without gaps: a gap is a loss.
 */

import { crc32 } from "node:zlib";
import { addTo } from "../../../../base/group-by.js";

/** Which segment of which log. */
export interface SegmentPlace {
  readonly log: string;
  readonly segment: number;
}

/** A record in a segment. */
export interface StoredRecord {
  /** Its number in the log, from 1. */
  readonly record: number;
  /** Its batch in the segment, from 1. */
  readonly batch: number;
  /** The record as JSON. */
  readonly line: string;
}

/** The contents of a segment. */
export interface Segment {
  /** The records in order; a string is a damaged line in their place. */
  readonly entries: readonly (StoredRecord | string)[];
  /** A last line without a newline: the process died while it wrote it, or the file was cut. */
  readonly torn: string;
}

/** The first line of a segment, with its newline. */
export function printHeader({ log, segment }: SegmentPlace): string {
  const text = `segment ${log} ${segment}`;
  return `${toCrc(text, 0)} ${text}\n`;
}

/** The line of a record, with its newline. */
export function printRecord(place: SegmentPlace, { record, batch, line }: StoredRecord): string {
  const text = `${record} ${batch} ${line}`;
  return `${toCrc(text, seedOf(place))} ${text}\n`;
}

/** Any header fits into so many bytes. */
export const HEADER_BYTES = 256;

const HEADER = /^\uFEFF?([0-9a-f]{8}) (segment (\S+) (\d+))\r?(?:\n|$)/;

/** Which segment a text is, by its first line. Undefined if the line is damaged. */
export function readHeader(text: string): SegmentPlace | undefined {
  const [, crc, body = "", log = "", segment] = HEADER.exec(text.slice(0, HEADER_BYTES)) ?? [];
  return crc === undefined || crc !== toCrc(body, 0)
    ? undefined
    : { log, segment: Number(segment) };
}

/**
 * Parses a segment that is no longer written. Line ends that were converted to CRLF, and a byte order mark, do no harm.
 */
export function parseSegment(text: string, place: SegmentPlace): Segment {
  const header = readHeader(text);
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const torn = lines.pop() ?? "";
  const seed = seedOf(place);
  const entries = lines.map((line) => parseRecord(line.replace(/\r$/, ""), seed));
  // The header of another segment is a damaged line.
  if (header?.log === place.log && header.segment === place.segment) entries.shift();
  return { entries: inOrder(entries), torn };
}

const RECORD = /^([0-9a-f]{8}) ((\d{1,15}) (\d{1,15}) (?=\{))/;

function parseRecord(line: string, seed: number): StoredRecord | string {
  const [, crc, prefix = "", record, batch] = RECORD.exec(line) ?? [];
  if (crc === undefined || crc !== toCrc(line.slice(crc.length + 1), seed)) return line;
  const start = crc.length + 1 + prefix.length;
  return { record: Number(record), batch: Number(batch), line: line.slice(start) };
}

/** Each record once and by its number, should lines have been copied or moved. */
function inOrder(entries: readonly (StoredRecord | string)[]): (StoredRecord | string)[] {
  const seen = new Set<number>();
  const once = entries.filter((entry) => {
    if (typeof entry === "string") return true;
    const isNew = !seen.has(entry.record);
    seen.add(entry.record);
    return isNew;
  });
  const records = once.filter((entry) => typeof entry !== "string");
  const isSorted = records.every(({ record }, index) => record > (records[index - 1]?.record ?? 0));
  if (isSorted) return once;
  const damaged = once.filter((entry) => typeof entry === "string");
  return [...records.sort((a, b) => a.record - b.record), ...damaged];
}

/** The records of each batch, by its number. */
export function groupBatches(segment: Segment): Map<number, StoredRecord[]> {
  const batches = new Map<number, StoredRecord[]>();
  for (const entry of segment.entries) {
    if (typeof entry !== "string") addTo(batches, entry.batch, entry);
  }
  return batches;
}

function seedOf({ log, segment }: SegmentPlace): number {
  return crc32(`${log} ${segment}`);
}

function toCrc(text: string, seed: number): string {
  return crc32(text, seed).toString(16).padStart(8, "0");
}
