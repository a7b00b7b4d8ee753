import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type LogPosition, toSegmentName } from "./names.js";
import { NO_PROGRESS, type Progress, writeProgress } from "./progress.js";
import { printHeader, printRecord } from "./segment.js";

export interface LogLimits {
  /** Records and bytes after which a batch ends. */
  readonly batchSize: number;
  readonly batchBytes: number;
  /** Records and bytes after which a segment ends. A segment is read back as a whole. */
  readonly segmentSize: number;
  readonly segmentBytes: number;
}

/** Where a record is in a log. */
export interface RecordPosition extends LogPosition {
  /** Its number in the log, from 1. */
  readonly record: number;
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
  /** What the note on disk should say. */
  #progress: Progress = NO_PROGRESS;
  /** Whether the note says something older. */
  #isNoteStale = false;

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
  append(line: string): RecordPosition {
    const bytes = Buffer.byteLength(line, "utf8") + 1;
    const { batchSize, batchBytes } = this.#limits;
    const open = this.#currentSegment();
    const endsBefore = open.batchSize > 0 && open.batchBytes + bytes > batchBytes;
    const size = endsBefore ? 1 : open.batchSize + 1;
    const sum = endsBefore ? bytes : open.batchBytes + bytes;
    const endsAfter = size >= batchSize || sum >= batchBytes;
    const batch = open.batch + (endsBefore ? 1 : 0);
    const record = this.#progress.written + 1;
    const place = { log: this.id, segment: this.#segment };
    const isFirst = open.size === 0;
    this.#write(
      open,
      `${isFirst ? printHeader(place) : ""}${printRecord(place, { record, batch, line })}`,
    );
    open.records += 1;
    open.batch = batch + (endsAfter ? 1 : 0);
    open.batchSize = endsAfter ? 0 : size;
    open.batchBytes = endsAfter ? 0 : sum;
    this.#change({ written: record });
    // A reader then notices if the whole segment is gone.
    if (isFirst) this.#tryNote();
    return { segment: this.#segment, batch, record };
  }

  /** From now on nothing is added to the batch, so that its key always means the same records. */
  endBatch({ segment, batch }: LogPosition): void {
    const open = this.#open;
    if (open === undefined || segment !== this.#segment || batch !== open.batch) return;
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

  /** Notes that the batch that ends with this record, and all before it, need not be sent again. */
  finish({ segment, batch, record }: RecordPosition): void {
    this.#change({ segment, batch, record });
    this.#note();
  }

  /** Removes the segments before `segment`, by default all but the open one. */
  removeBefore(segment: number = Number.POSITIVE_INFINITY): void {
    // To a reader, a segment that is neither there nor noted as done is a loss.
    if (this.#isNoteStale) this.#note();
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
    if (!isDone) {
      this.#change({ isClosed: true });
      this.#tryNote();
      return;
    }
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name), { force: true });
    rmdirSync(this.#folder);
  }

  #change(change: Partial<Progress>): void {
    this.#progress = { ...this.#progress, ...change };
    this.#isNoteStale = true;
  }

  #note(): void {
    writeProgress(this.#folder, this.id, this.#progress);
    this.#isNoteStale = false;
  }

  #tryNote(): void {
    try {
      this.#note();
    } catch {
      // The note says less: batches may be sent again, under their keys, and fewer losses are noticed.
    }
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
