import { rmSync } from "node:fs";
import type { Ledger } from "./ledger.js";
import type { Batch } from "./sinks/sink.js";
import type { SpoolFolder } from "./spool/folder.js";
import { type LogLimits, LogTakenError, type RecordPosition, SpoolLog } from "./spool/log.js";
import { toLogId } from "./spool/names.js";

export interface WriterLimits extends LogLimits {
  /** Bytes on disk. */
  readonly spoolMaxBytes: number;
}

/** Where a record is on disk. */
export interface SavedPosition {
  readonly log: SpoolLog;
  readonly position: RecordPosition;
}

/** After a write failed, none is tried for so long: trying each time would cost the agent more than writing. */
const DISK_RETRY_MS = 1_000;

/**
 * Writes this process's part of the spool: one log, and another one if the first is taken over. Its
 * methods do not throw; the ledger is told when the disk fails.
 */
export class SpoolWriter {
  readonly #limits: WriterLimits;
  readonly #folder: SpoolFolder | undefined;
  readonly #ledger: Ledger;
  /** Milliseconds on a monotonic clock. */
  readonly #elapsed: () => number;
  #log: SpoolLog | undefined;
  /** Nothing is appended before `elapsed` returns this. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    limits: WriterLimits,
    folder: SpoolFolder | undefined,
    ledger: Ledger,
    elapsed: () => number,
  ) {
    this.#limits = limits;
    this.#folder = folder;
    this.#ledger = ledger;
    this.#elapsed = elapsed;
  }

  /** Bytes on disk, those of orphaned logs included. */
  get bytes(): number {
    return (this.#log?.bytes ?? 0) + this.#ledger.orphanedBytes;
  }

  /**
   * Writes a line of so many bytes to the log; returns undefined if the disk does not take it. With
   * `isFirst`, everything in the log has arrived.
   */
  append(line: string, bytes: number, isFirst: boolean): SavedPosition | undefined {
    if (this.#elapsed() < this.#pausedUntil || this.#isFull(bytes, isFirst)) return undefined;
    const log = this.#log;
    try {
      return this.#appendTo(this.#openLog(), line);
    } catch (error) {
      if (!(error instanceof LogTakenError)) return this.#fail(error);
    }
    this.#log = undefined;
    try {
      log?.endSegment();
      return this.#appendTo(this.#openLog(), line);
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** The next line starts a new segment. */
  endSegment(): void {
    this.#log?.endSegment();
  }

  /** From now on nothing is added to the batch. */
  endBatch({ log, position }: SavedPosition): void {
    this.#try(() => log.endBatch(position));
  }

  /**
   * Saves a batch that the disk did not take before, as the first one of a log of its own, so that it
   * keeps its key. Returns the log's folder; undefined if the disk does not take it now either.
   */
  setAside({ key, lines }: Batch): string | undefined {
    const folder = this.#folder;
    let path: string | undefined;
    this.#try(() => {
      path = folder?.keep(toLogId(key), lines);
    });
    return path;
  }

  /** Removes what `setAside` wrote. */
  removeAside(path: string): void {
    this.#try(() => rmSync(path, { recursive: true, force: true }));
  }

  /** Whether this is in the log that is written now. */
  isCurrent({ log }: SavedPosition): boolean {
    return log === this.#log;
  }

  /** Notes that a batch has arrived. Removes the segments before `needed`, by default all that are complete. */
  finish({ log, position }: SavedPosition, needed: number | undefined): void {
    this.#try(() => {
      log.finish(position);
      log.removeBefore(needed);
    });
  }

  /** Ends writing; with `isDone`, removes the log. */
  close(isDone: boolean): void {
    const log = this.#log;
    this.#log = undefined;
    this.#try(() => log?.close(isDone));
  }

  #appendTo(log: SpoolLog | undefined, line: string): SavedPosition | undefined {
    if (log === undefined) return undefined;
    const position = log.append(line);
    this.#ledger.noteWriteWorks();
    return { log, position };
  }

  #openLog(): SpoolLog | undefined {
    if (this.#log !== undefined || this.#folder === undefined) return this.#log;
    const { id, path } = this.#folder.createLog();
    this.#log = new SpoolLog(path, id, this.#limits);
    return this.#log;
  }

  #isFull(bytes: number, isFirst: boolean): boolean {
    const { spoolMaxBytes } = this.#limits;
    const log = this.#log;
    if (this.bytes + bytes <= spoolMaxBytes) return false;
    if (log === undefined || !isFirst) return true;
    this.#try(() => {
      log.endSegment();
      log.removeBefore();
    });
    return this.bytes + bytes > spoolMaxBytes;
  }

  #try(action: () => void): void {
    try {
      action();
    } catch (error) {
      // The process that took the log over has everything in it.
      if (!(error instanceof LogTakenError)) this.#fail(error);
    }
  }

  #fail(error: unknown): undefined {
    this.#pausedUntil = this.#elapsed() + DISK_RETRY_MS;
    this.#ledger.noteWriteFailed(error);
  }
}
