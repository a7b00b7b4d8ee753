import { rmSync } from "node:fs";
import type { QueuedBatch, SavedPlace } from "../batch.js";
import type { SpoolFolder } from "./folder.js";
import { type LogLimits, LogTakenError, SpoolLog } from "./log.js";

export interface WriterLimits extends LogLimits {
  /** Bytes on disk. */
  readonly spoolMaxBytes: number;
}

export interface WriterEvents {
  /** The disk does not take records; later it does again. */
  diskFailed(error: unknown): void;
  diskWorks(): void;
}

/** After the disk failed, it is left alone for so long. */
const DISK_RETRY_MS = 1_000;

/** How the key of a log's first batch ends. */
const FIRST_BATCH = /-1-1$/;

/**
 * Writes to this process's part of the spool: to one log after the other, as others may take them. Its
 * methods do not throw: that the disk fails is an event.
 */
export class SpoolWriter {
  readonly #limits: WriterLimits;
  readonly #folder: SpoolFolder | undefined;
  readonly #events: WriterEvents;
  /** Milliseconds on a clock that nobody sets. */
  readonly #elapsed: () => number;
  #log: SpoolLog | undefined;
  /** Nothing is appended before `elapsed` gives this. */
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** How many bytes on disk are those of logs that are left. */
  leftBytes = 0;

  constructor(
    limits: WriterLimits,
    folder: SpoolFolder | undefined,
    events: WriterEvents,
    elapsed: () => number,
  ) {
    this.#limits = limits;
    this.#folder = folder;
    this.#events = events;
    this.#elapsed = elapsed;
  }

  /** Bytes on disk, those of logs that are left included. */
  get bytes(): number {
    return (this.#log?.bytes ?? 0) + this.leftBytes;
  }

  /**
   * Writes a line of so many bytes to the log; undefined when the disk does not take it. With `isFirst`,
   * all that stands in the log has arrived.
   */
  append(line: string, bytes: number, isFirst: boolean): SavedPlace | undefined {
    if (this.#elapsed() < this.#restsUntil || this.#isFull(bytes, isFirst)) return undefined;
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

  /** What is appended from now on stands in another segment. */
  endSegment(): void {
    this.#log?.endSegment();
  }

  /** From now on nothing is added to the batch. */
  endBatch({ log, place }: SavedPlace): void {
    this.#try(() => log.endBatch(place));
  }

  /**
   * Saves a batch that the disk did not take, in a log of its own of which it is the first: under its key.
   * Gives the folder; undefined when the disk does not take it now either.
   */
  setAside({ key, lines }: QueuedBatch): string | undefined {
    const folder = this.#folder;
    let path: string | undefined;
    this.#try(() => {
      path = folder?.keep(key.replace(FIRST_BATCH, ""), lines);
    });
    return path;
  }

  /** Removes what `setAside` wrote. */
  removeAside(path: string): void {
    this.#try(() => rmSync(path, { recursive: true, force: true }));
  }

  /** Whether it stands in the log that is written now. */
  isCurrent({ log }: SavedPlace): boolean {
    return log === this.#log;
  }

  /** Notes that a batch has arrived, and removes the segments before `needed`, by default all that are whole. */
  finish({ log, place }: SavedPlace, needed: number | undefined): void {
    this.#try(() => {
      log.finish(place);
      log.removeBefore(needed);
    });
  }

  /** Ends writing; with `isDone`, nothing of the log remains. */
  close(isDone: boolean): void {
    const log = this.#log;
    this.#log = undefined;
    this.#try(() => log?.close(isDone));
  }

  #appendTo(log: SpoolLog | undefined, line: string): SavedPlace | undefined {
    if (log === undefined) return undefined;
    const place = log.append(line);
    this.#events.diskWorks();
    return { log, place };
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
      // Whoever took the log has what stood in it.
      if (!(error instanceof LogTakenError)) this.#fail(error);
    }
  }

  #fail(error: unknown): undefined {
    this.#restsUntil = this.#elapsed() + DISK_RETRY_MS;
    this.#events.diskFailed(error);
  }
}
