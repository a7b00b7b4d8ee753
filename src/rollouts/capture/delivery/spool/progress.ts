import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { hasCode } from "../../../../base/files/source.js";
import type { LogPosition } from "./names.js";

/** What is known of a log besides its segments. */
export interface Progress extends LogPosition {
  /** Number of the last record that has arrived; 0 before the first. */
  readonly record: number;
  /** So many records were written, at least; all of them if `isClosed`. */
  readonly written: number;
  /** Whether the writer ended in good order. */
  readonly isClosed: boolean;
}

/** Nothing has arrived, and nothing is known. */
export const NO_PROGRESS: Progress = {
  segment: 0,
  batch: 0,
  record: 0,
  written: 0,
  isClosed: false,
};

const NAME = "done";
/** Each note has the same length, so that it covers the one before: five numbers, an id and a checksum. */
const LENGTH = 240;
const NOTE =
  /^done (?<segment>\d+) (?<batch>\d+) (?<record>\d+) of (?<written>\d+) (?<state>open|closed) in (?<log>\S+) *$/;

/** A link or a pipe in the place of the file is an error: no write elsewhere, and no wait. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** No O_TRUNC: a process that died between truncating and writing would lose the note. */
const TO_WRITE = constants.O_WRONLY | constants.O_CREAT | SAFELY;
const TO_READ = constants.O_RDONLY | SAFELY;

/** Notes in a log's folder what has arrived, and what was written. Throws as node:fs does. */
export function writeProgress(folder: string, log: string, progress: Progress): void {
  const { segment, batch, record, written, isClosed } = progress;
  const state = isClosed ? "closed" : "open";
  const text = `done ${segment} ${batch} ${record} of ${written} ${state} in ${log}`;
  const padded = text.padEnd(LENGTH - 10);
  const fd = openSync(join(folder, NAME), TO_WRITE, 0o600);
  try {
    writeSync(fd, `${padded} ${toCrc(padded)}\n`, 0);
  } finally {
    closeSync(fd);
  }
}

/**
 * What a log's note says. A note that does not verify, belongs to another log or is not a file is damaged. Throws as
 * node:fs does if it cannot be read now.
 */
export function readProgress(folder: string, log: string): Progress | "absent" | "damaged" {
  let text: string;
  try {
    text = readStart(join(folder, NAME));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return "absent";
    // A link, and a socket.
    if (hasCode(error, "ELOOP") || hasCode(error, "ENXIO")) return "damaged";
    throw error;
  }
  const padded = text.slice(0, LENGTH - 10);
  if (text.slice(LENGTH - 10, LENGTH - 1) !== ` ${toCrc(padded)}`) return "damaged";
  const note = NOTE.exec(padded)?.groups;
  if (note === undefined || note.log !== log) return "damaged";
  return {
    segment: Number(note.segment),
    batch: Number(note.batch),
    record: Number(note.record),
    written: Number(note.written),
    isClosed: note.state === "closed",
  };
}

function readStart(path: string): string {
  const fd = openSync(path, TO_READ);
  try {
    if (!fstatSync(fd).isFile()) return "";
    const bytes = Buffer.alloc(LENGTH);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, LENGTH, 0));
  } finally {
    closeSync(fd);
  }
}

function toCrc(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
