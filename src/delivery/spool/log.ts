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
import { type LogPosition, toSegmentName } from "./names.js";

const PROGRESS_NAME = "done";
/** Each note has the same length, so that it covers the one before. */
const PROGRESS_LENGTH = 40;
/** No O_TRUNC: a process that died between truncating and writing would lose the note. */
const PROGRESS_FLAGS = constants.O_WRONLY | constants.O_CREAT;

/** Notes in a log's folder that all batches up to this one have arrived. Throws as node:fs does. */
export function writeProgress(folder: string, { segment, batch }: LogPosition): void {
  const fd = openSync(join(folder, PROGRESS_NAME), PROGRESS_FLAGS, 0o600);
  try {
    writeSync(fd, `${`${segment} ${batch}`.padEnd(PROGRESS_LENGTH - 1)}\n`, 0);
  } finally {
    closeSync(fd);
  }
}

/** The last batch that has arrived; a position before the first if none is noted. */
export function readProgress(folder: string): LogPosition {
  let text = "";
  try {
    text = readFileSync(join(folder, PROGRESS_NAME), "utf8");
  } catch {
    // Batches may be sent again, under their keys.
  }
  const [, segment, batch] = /^(\d+) (\d+) *\n$/.exec(text) ?? [];
  return { segment: Number(segment ?? 0), batch: Number(batch ?? 0) };
}

/** The line that ends a batch. Records are objects, so none looks like it. */
export const END_OF_BATCH = '["end of batch"]';

/** The contents of one file of a log. */
interface Segment {
  /** The records of each batch, in order; the last batch also ends with the file. */
  readonly batches: readonly string[][];
  /** Lines that are not records: damaged on disk. */
  readonly damaged: readonly string[];
}

/**
 * Parses a segment that is no longer written. A last line without a newline is left out: the process died
 * while it wrote it, so `push` had not returned.
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
  /** Records and bytes after which a segment ends. A segment is read back as a whole. */
  readonly segmentSize: number;
  readonly segmentBytes: number;
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
 * A log that one delivery writes, segment by segment. When `append` returns, the line is in the system's
 * cache: it survives any end of the process, though not a power cut.
 *
 * Its methods throw as node:fs does; a write that fails is undone.
 */
export class SpoolLog {
  readonly id: string;
  readonly #folder: string;
  readonly #limits: LogLimits;
  /** Sizes of the segments on disk, oldest first. */
  readonly #sizes = new Map<number, number>();
  /** Sum of the sizes. */
  #bytes = 0;
  #segment = 0;
  #open: OpenSegment | undefined;

  /** `folder` must exist and be empty. */
  constructor(folder: string, id: string, limits: LogLimits) {
    this.#folder = folder;
    this.id = id;
    this.#limits = limits;
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws LogTakenError too; then the process that took the log may have the line. */
  append(line: string): LogPosition {
    const bytes = Buffer.byteLength(line, "utf8") + 1;
    const { batchSize, batchBytes } = this.#limits;
    const open = this.#currentSegment();
    const endsBefore = open.batchSize > 0 && open.batchBytes + bytes > batchBytes;
    const size = endsBefore ? 1 : open.batchSize + 1;
    const sum = endsBefore ? bytes : open.batchBytes + bytes;
    const endsAfter = size >= batchSize || sum >= batchBytes;
    const mark = `${END_OF_BATCH}\n`;
    this.#write(open, `${endsBefore ? mark : ""}${line}\n${endsAfter ? mark : ""}`);
    const position = { segment: this.#segment, batch: open.batch + (endsBefore ? 1 : 0) };
    open.records += 1;
    open.batch = position.batch + (endsAfter ? 1 : 0);
    open.batchSize = endsAfter ? 0 : size;
    open.batchBytes = endsAfter ? 0 : sum;
    return position;
  }

  /** From now on nothing is added to the batch, so that its key always means the same records. */
  endBatch({ segment, batch }: LogPosition): void {
    const open = this.#open;
    if (open === undefined || segment !== this.#segment || batch !== open.batch) return;
    this.#write(open, `${END_OF_BATCH}\n`);
    open.batch += 1;
    open.batchSize = 0;
    open.batchBytes = 0;
  }

  /** From now on nothing is added to the open segment; its last batch ends with it. */
  endSegment(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    try {
      closeSync(open.fd);
    } catch {
      // A reader of the segment finds the written lines, or finds the segment missing.
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
  finish(position: LogPosition): void {
    writeProgress(this.#folder, position);
  }

  /** Removes the segments before `segment`, by default all but the open one. */
  removeBefore(segment: number = Number.POSITIVE_INFINITY): void {
    for (const [number, size] of this.#sizes) {
      if (number >= segment) break;
      if (this.isOpen(number)) continue;
      rmSync(this.pathOf(number), { force: true });
      this.#sizes.delete(number);
      this.#bytes -= size;
    }
  }

  /** False once another process took the folder over, or it was removed. */
  isOurs(): boolean {
    return existsSync(this.#folder);
  }

  /** Ends writing; with `isDone`, removes the log. */
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
    // After the write, not before: a process that takes the folder after this check finds the line in it.
    if (!this.isOurs()) throw new LogTakenError();
  }

  /** A reader must not find a line whose write was reported as failed. */
  #abandon(open: OpenSegment): void {
    try {
      ftruncateSync(open.fd, open.size);
    } catch {
      // The last line is torn, and a reader leaves it out.
    }
    this.endSegment();
  }
}
