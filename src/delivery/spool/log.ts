import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../json/value.js";
import { toSegmentName } from "./names.js";

const NAME = "done";
/** Always as long, so that a note covers the former one. */
const LENGTH = 40;
/** Not truncated: a process that dies between that and writing would have forgotten everything. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT;

/** Notes in a log's folder that all batches up to this one have arrived. Throws as node:fs does. */
export function writeProgress(folder: string, { segment, batch }: Place): void {
  const fd = openSync(join(folder, NAME), FLAGS, 0o600);
  try {
    writeSync(fd, `${`${segment} ${batch}`.padEnd(LENGTH - 1)}\n`, 0);
  } finally {
    closeSync(fd);
  }
}

/** The last batch that has arrived; where nobody noted it, a place before all. */
export function readProgress(folder: string): Place {
  let text = "";
  try {
    text = readFileSync(join(folder, NAME), "utf8");
  } catch {
    // Then batches are sent again, under their keys.
  }
  const [, segment, batch] = /^(\d+) (\d+) *\n$/.exec(text) ?? [];
  return { segment: Number(segment ?? 0), batch: Number(batch ?? 0) };
}

/** Ends a batch in a segment; begins as no record does. */
export const END_OF_BATCH = '["end of batch"]';

/** What stands in one file of a spool. */
export interface Segment {
  /** The records of each batch, in order; the last batch also ends with the file. */
  readonly batches: readonly string[][];
  /** Lines that are no records: damaged on the disk. */
  readonly damaged: readonly string[];
}

/**
 * Reads a segment that nobody writes any more. A last line without a newline is what a process wrote when
 * it died: it had not been taken over yet, and is left out.
 */
export function parseSegment(text: string): Segment {
  const lines = text.split("\n");
  lines.pop();
  const batches: string[][] = [];
  const damaged: string[] = [];
  let batch: string[] = [];
  const end = (): void => {
    batches.push(batch);
    batch = [];
  };
  for (const line of lines) {
    if (line === END_OF_BATCH) end();
    else if (isRecord(line)) batch.push(line);
    else damaged.push(line);
  }
  if (batch.length > 0) end();
  return { batches, damaged };
}

function isRecord(line: string): boolean {
  try {
    return isJsonObject(JSON.parse(line));
  } catch {
    return false;
  }
}

export interface LogLimits {
  /** Records and bytes after which a batch ends. */
  readonly batchSize: number;
  readonly batchBytes: number;
  /** Records and bytes after which a segment ends: what is read back from the disk at once. */
  readonly segmentSize: number;
  readonly segmentBytes: number;
}

/** Where a record stands: both from 1. */
export interface Place {
  readonly segment: number;
  readonly batch: number;
}

/** Another process has taken the log over, or its folder was removed. */
export class LogTakenError extends Error {
  override readonly name = "LogTakenError";
}

interface OpenSegment {
  readonly fd: number;
  size: number;
  records: number;
  batch: number;
  batchSize: number;
  batchBytes: number;
}

/**
 * A log that one delivery writes, segment by segment. What is appended stands in the system's cache when
 * `append` returns: it survives the end of the process in any way, though not a power cut.
 *
 * Its methods throw as node:fs does; what they did not finish is undone.
 */
export class SpoolLog {
  readonly id: string;
  readonly #folder: string;
  readonly #limits: LogLimits;
  /** Sizes of the segments that are there, oldest first. */
  readonly #sizes = new Map<number, number>();
  /** Sum of them. */
  #bytes = 0;
  #segment = 0;
  #open: OpenSegment | undefined;

  /** `folder` exists, and is empty. */
  constructor(folder: string, id: string, limits: LogLimits) {
    this.#folder = folder;
    this.id = id;
    this.#limits = limits;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws LogTakenError too; then the line may be there for the one who took the log. */
  append(line: string): Place {
    const bytes = Buffer.byteLength(line, "utf8") + 1;
    const { batchSize, batchBytes } = this.#limits;
    const open = this.#currentSegment();
    const endsBefore = open.batchSize > 0 && open.batchBytes + bytes > batchBytes;
    const size = endsBefore ? 1 : open.batchSize + 1;
    const sum = endsBefore ? bytes : open.batchBytes + bytes;
    const endsAfter = size >= batchSize || sum >= batchBytes;
    const mark = `${END_OF_BATCH}\n`;
    this.#write(open, `${endsBefore ? mark : ""}${line}\n${endsAfter ? mark : ""}`);
    const place = { segment: this.#segment, batch: open.batch + (endsBefore ? 1 : 0) };
    open.records += 1;
    open.batch = place.batch + (endsAfter ? 1 : 0);
    open.batchSize = endsAfter ? 0 : size;
    open.batchBytes = endsAfter ? 0 : sum;
    return place;
  }

  /** From now on nothing is added to the batch: what is sent under its key is settled. */
  endBatch({ segment, batch }: Place): void {
    const open = this.#open;
    if (open === undefined || segment !== this.#segment || batch !== open.batch) return;
    this.#write(open, `${END_OF_BATCH}\n`);
    open.batch += 1;
    open.batchSize = 0;
    open.batchBytes = 0;
  }

  /** From now on nothing is added to the segment under way; its last batch ends with it. */
  endSegment(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    try {
      closeSync(open.fd);
    } catch {
      // What was written is read back all the same, or found to be missing.
    }
  }

  /** Whether `segment` may still grow. */
  isOpen(segment: number): boolean {
    return this.#open !== undefined && segment === this.#segment;
  }

  pathOf(segment: number): string {
    return join(this.#folder, toSegmentName(segment));
  }

  /** Notes that this batch, and all before it, need not be sent again. */
  finish(place: Place): void {
    writeProgress(this.#folder, place);
  }

  /** Removes the segments before `segment`, by default all but the one that is written. */
  removeBefore(segment: number = Number.POSITIVE_INFINITY): void {
    for (const [number, size] of this.#sizes) {
      if (number >= segment) break;
      if (this.isOpen(number)) continue;
      rmSync(this.pathOf(number), { force: true });
      this.#sizes.delete(number);
      this.#bytes -= size;
    }
  }

  /** Whether the folder is still where this process made it. */
  isOurs(): boolean {
    return existsSync(this.#folder);
  }

  /** Ends writing; with `isDone`, nothing of the log remains. */
  close(isDone: boolean): void {
    this.endSegment();
    if (!isDone) return;
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { force: true });
    rmdirSync(this.#folder);
  }

  #currentSegment(): OpenSegment {
    const { segmentSize, segmentBytes } = this.#limits;
    const open = this.#open;
    if (open !== undefined && open.records < segmentSize && open.size < segmentBytes) return open;
    this.endSegment();
    const next = this.#segment + 1;
    let fd: number;
    try {
      fd = openSync(this.pathOf(next), "ax", 0o600);
    } catch (error) {
      throw this.isOurs() ? error : new LogTakenError();
    }
    this.#segment = next;
    this.#sizes.set(next, 0);
    this.#open = { fd, size: 0, records: 0, batch: 1, batchSize: 0, batchBytes: 0 };
    return this.#open;
  }

  #write(open: OpenSegment, text: string): void {
    const bytes = Buffer.from(text, "utf8");
    try {
      const written = writeSync(open.fd, bytes);
      if (written < bytes.length) throw new Error("only a part was written: the disk is full");
    } catch (error) {
      this.#abandon(open);
      throw error;
    }
    open.size += bytes.length;
    this.#bytes += bytes.length;
    this.#sizes.set(this.#segment, open.size);
    // Only after the write: who takes the folder later than this look finds the line in it.
    if (!this.isOurs()) throw new LogTakenError();
  }

  /** Whoever reads it must not find what was said to have failed. */
  #abandon(open: OpenSegment): void {
    try {
      ftruncateSync(open.fd, open.size);
    } catch {
      // Then its last line is torn, and a reader leaves that out.
    }
    this.endSegment();
  }
}
