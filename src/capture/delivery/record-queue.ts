import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Batch } from "../sinks/sink.js";
import { newLogId } from "./new-log-id.js";
import { parseSegment } from "./parse-segment.js";
import { type BatchSource, type QueuedBatch, type SavedPlace, toBatchKey } from "./queued-batch.js";
import type { SpoolFolder } from "./spool-folder.js";
import { type LogLimits, LogTakenError, SpoolLog } from "./spool-log.js";

export interface QueueLimits extends LogLimits {
  /** Records and bytes in memory. */
  readonly queueSize: number;
  readonly queueBytes: number;
  /** Bytes on disk. */
  readonly spoolMaxBytes: number;
}

export interface QueueEvents {
  /** The disk does not take records; later it does again. */
  diskFailed(error: unknown): void;
  diskWorks(): void;
  /** So many records that stood on disk alone are gone, and why. */
  lost(records: number, reason: string): void;
  /** So many are another process's business now. */
  handedOver(records: number): void;
}

/** After the disk failed, it is left alone for so long. */
const DISK_RETRY_MS = 1_000;

/** How the key of a log's first batch ends. */
const FIRST_BATCH = /-1-1$/;

interface Overflow {
  readonly log: SpoolLog;
  readonly segment: number;
  records: number;
}

/**
 * The records of this process that have not arrived, in order. Each is written to the log first; the
 * oldest, up to the limits, are in memory as well. Once memory is full, the others stand on disk alone,
 * in segments of their own, and are read back a segment at a time when memory is empty.
 */
export class RecordQueue implements BatchSource {
  readonly #limits: QueueLimits;
  readonly #folder: SpoolFolder | undefined;
  readonly #events: QueueEvents;
  readonly #now: () => number;
  #log: SpoolLog | undefined;
  /** The log may not be asked before this time. */
  #diskRestsUntil = 0;
  readonly #batches: QueuedBatch[] = [];
  /** Segments that stand on disk alone, oldest first. */
  readonly #overflow: Overflow[] = [];
  #records = 0;
  #bytes = 0;
  #unsaved = 0;
  #leftBytes = 0;
  /** Key of the last batch when it is not on disk and may still grow. */
  #unsavedKey: string | undefined;

  constructor(
    limits: QueueLimits,
    folder: SpoolFolder | undefined,
    events: QueueEvents,
    now: () => number,
  ) {
    this.#limits = limits;
    this.#folder = folder;
    this.#events = events;
    this.#now = now;
  }

  get queued(): number {
    return this.#records;
  }

  get queuedBytes(): number {
    return this.#bytes;
  }

  get spooled(): number {
    return this.#overflow.reduce((sum, { records }) => sum + records, 0);
  }

  get spoolBytes(): number {
    return (this.#log?.bytes ?? 0) + this.#leftBytes;
  }

  /** Records in memory that are not on disk. */
  get unsaved(): number {
    return this.#unsaved;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0 && this.#overflow.length === 0;
  }

  /** Sets how many bytes on disk are those of logs that are left. */
  set leftBytes(bytes: number) {
    this.#leftBytes = bytes;
  }

  /** Whether the record was kept: false when there is room for it neither in memory nor on disk. */
  push(line: string): boolean {
    const bytes = Buffer.byteLength(line, "utf8");
    const { queueSize, queueBytes } = this.#limits;
    const isRoom = this.#records < queueSize && this.#bytes + bytes <= queueBytes;
    if (this.#overflow.length === 0 && (isRoom || this.#records === 0)) {
      const saved = this.#append(line, bytes);
      // What comes after it must not join a batch that stands before it.
      if (saved === undefined) this.#log?.endSegment();
      this.#remember(line, bytes, saved);
      return true;
    }
    if (this.#overflow.length === 0) this.#log?.endSegment();
    const saved = this.#append(line, bytes);
    if (saved === undefined) return false;
    const last = this.#overflow.at(-1);
    if (last?.log === saved.log && last.segment === saved.place.segment) last.records += 1;
    else this.#overflow.push({ log: saved.log, segment: saved.place.segment, records: 1 });
    return true;
  }

  async next(): Promise<Batch | undefined> {
    while (this.#batches.length === 0 && this.#overflow.length > 0) await this.#load();
    const batch = this.#batches[0];
    if (batch !== undefined && this.#batches.length === 1) this.#settle(batch);
    return batch;
  }

  finish(): void {
    const batch = this.#batches.shift();
    if (batch === undefined) return;
    this.#records -= batch.lines.length;
    this.#bytes -= batch.bytes;
    const { saved, aside } = batch;
    if (saved !== undefined) this.#forget(saved);
    else if (aside === undefined) this.#unsaved -= batch.lines.length;
    else this.#tryDisk(() => rmSync(aside, { recursive: true, force: true }));
  }

  /** Ends writing. Keeps on disk what was not kept yet; gives how many records could not be. */
  close(): number {
    for (const batch of this.#batches) if (!isSaved(batch)) this.#setAside(batch);
    const lost = this.#unsaved;
    for (const { bytes } of this.#batches.filter((batch) => !isSaved(batch))) this.#bytes -= bytes;
    this.#records -= lost;
    this.#unsaved = 0;
    const log = this.#log;
    this.#log = undefined;
    if (log !== undefined) this.#tryDisk(() => log.close(this.isEmpty));
    return lost;
  }

  /** Saves a batch that the disk did not take, in a log of its own of which it is the first: under its key. */
  #setAside(batch: QueuedBatch): boolean {
    const folder = this.#folder;
    if (folder === undefined) return false;
    return this.#tryDisk(() => {
      batch.aside = folder.keep(batch.key.replace(FIRST_BATCH, ""), batch.lines);
      this.#unsaved -= batch.lines.length;
    });
  }

  /** One batch at a time, so that nobody waits for long. */
  #saveOne(): void {
    const batch = this.#batches.find((each) => !isSaved(each));
    if (batch === undefined) return;
    if (batch.key === this.#unsavedKey) this.#unsavedKey = undefined;
    this.#setAside(batch);
  }

  /** The batch is about to be sent: from now on nothing is added to it. */
  #settle({ key, saved }: QueuedBatch): void {
    if (saved !== undefined) this.#tryDisk(() => saved.log.endBatch(saved.place));
    else if (key === this.#unsavedKey) this.#unsavedKey = undefined;
  }

  #remember(line: string, bytes: number, saved: SavedPlace | undefined): void {
    this.#records += 1;
    this.#bytes += bytes;
    if (saved === undefined) this.#unsaved += 1;
    const last = this.#batches.at(-1);
    const key =
      saved === undefined ? this.#toUnsavedKey(last, bytes) : toBatchKey(saved.log.id, saved.place);
    this.#unsavedKey = saved === undefined ? key : undefined;
    if (last?.key === key) {
      last.lines.push(line);
      last.bytes += bytes;
    } else {
      this.#batches.push({ key, lines: [line], bytes, saved, aside: undefined });
    }
  }

  #toUnsavedKey(last: QueuedBatch | undefined, bytes: number): string {
    const { batchSize, batchBytes } = this.#limits;
    const isOpen = last !== undefined && last.key === this.#unsavedKey;
    const isRoom = isOpen && last.lines.length < batchSize && last.bytes + bytes <= batchBytes;
    return isRoom ? last.key : toBatchKey(newLogId(this.#now()), { segment: 1, batch: 1 });
  }

  /** Writes a line to the log; undefined when the disk does not take it. */
  #append(line: string, bytes: number): SavedPlace | undefined {
    if (this.#now() < this.#diskRestsUntil || this.#isSpoolFull(bytes)) return undefined;
    const log = this.#log;
    try {
      return this.#appendTo(this.#openLog(), line);
    } catch (error) {
      if (!(error instanceof LogTakenError)) return this.#failDisk(error);
    }
    this.#log = undefined;
    try {
      log?.endSegment();
      return this.#appendTo(this.#openLog(), line);
    } catch (error) {
      return this.#failDisk(error);
    }
  }

  #appendTo(log: SpoolLog | undefined, line: string): SavedPlace | undefined {
    if (log === undefined) return undefined;
    const place = log.append(line);
    this.#events.diskWorks();
    if (this.#unsaved > 0) this.#saveOne();
    return { log, place };
  }

  #openLog(): SpoolLog | undefined {
    if (this.#log !== undefined || this.#folder === undefined) return this.#log;
    const { id, path } = this.#folder.createLog();
    this.#log = new SpoolLog(path, id, this.#limits);
    return this.#log;
  }

  #isSpoolFull(bytes: number): boolean {
    const { spoolMaxBytes } = this.#limits;
    const log = this.#log;
    if (this.spoolBytes + bytes <= spoolMaxBytes) return false;
    if (log === undefined || !this.isEmpty) return true;
    // All that stands there has arrived.
    this.#tryDisk(() => {
      log.endSegment();
      log.removeBefore();
    });
    return this.spoolBytes + bytes > spoolMaxBytes;
  }

  #tryDisk(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      // Whoever took the log has what stood in it.
      if (!(error instanceof LogTakenError)) this.#failDisk(error);
      return false;
    }
  }

  #failDisk(error: unknown): undefined {
    this.#diskRestsUntil = this.#now() + DISK_RETRY_MS;
    this.#events.diskFailed(error);
  }

  /** Notes that a batch has arrived, and removes the segments that nobody needs. */
  #forget({ log, place }: SavedPlace): void {
    if (log !== this.#log) return;
    const [batch] = this.#batches.filter(({ saved }) => saved?.log === log);
    const [overflow] = this.#overflow.filter((each) => each.log === log);
    this.#tryDisk(() => {
      log.finish(place);
      log.removeBefore(batch?.saved?.place.segment ?? overflow?.segment);
    });
  }

  /** Brings the first segment that stands on disk alone into memory. */
  async #load(): Promise<void> {
    const first = this.#overflow[0];
    if (first === undefined) return;
    const { log, segment } = first;
    if (log.isOpen(segment)) log.endSegment();
    try {
      const { batches } = parseSegment(await readFile(log.pathOf(segment), "utf8"));
      const found = batches.reduce((sum, lines) => sum + lines.length, 0);
      if (found < first.records) this.#events.lost(first.records - found, "damaged on the disk");
      for (const [index, lines] of batches.entries()) {
        if (lines.length > 0) this.#takeBack(lines, { log, place: { segment, batch: index + 1 } });
      }
    } catch (error) {
      await this.#giveUp(first, error);
    }
    this.#overflow.shift();
  }

  #takeBack(lines: string[], saved: SavedPlace): void {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line, "utf8"), 0);
    this.#records += lines.length;
    this.#bytes += bytes;
    this.#batches.push({
      key: toBatchKey(saved.log.id, saved.place),
      lines,
      bytes,
      saved,
      aside: undefined,
    });
  }

  async #giveUp({ log, records }: Overflow, error: unknown): Promise<void> {
    if (!log.isOurs() && (await this.#folder?.hasLog(log.id))) {
      this.#events.handedOver(records);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    this.#events.lost(records, `the spool cannot be read: ${reason}`);
  }
}

function isSaved({ saved, aside }: QueuedBatch): boolean {
  return saved !== undefined || aside !== undefined;
}
