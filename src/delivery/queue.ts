import { type BatchSource, type QueuedBatch, type SavedPlace, toBatchKey } from "./batch.js";
import type { Batch } from "./sinks/sink.js";
import type { SpoolFolder } from "./spool/folder.js";
import type { SpoolLog } from "./spool/log.js";
import { newLogId } from "./spool/names.js";
import { Overflow, type OverflowEvents } from "./spool/overflow.js";
import { SpoolWriter, type WriterEvents, type WriterLimits } from "./spool/writer.js";

export interface MemoryLimits {
  /** Records and bytes in memory. */
  readonly queueSize: number;
  readonly queueBytes: number;
  /** Records and bytes after which a batch ends. */
  readonly batchSize: number;
  readonly batchBytes: number;
}

/** Batches that wait in memory, oldest first, and how much they are. */
export class MemoryQueue {
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  readonly #batches: QueuedBatch[] = [];
  #records = 0;
  #bytes = 0;
  #unsaved = 0;
  /** Key of the last batch when it is not on disk and may still grow. */
  #unsavedKey: string | undefined;

  constructor(limits: MemoryLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  get records(): number {
    return this.#records;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Records that are not on disk. */
  get unsaved(): number {
    return this.#unsaved;
  }

  /** How many batches there are. */
  get length(): number {
    return this.#batches.length;
  }

  get first(): QueuedBatch | undefined {
    return this.#batches[0];
  }

  /** Whether a record of so many bytes may come in: one may always. */
  hasRoom(bytes: number): boolean {
    const { queueSize, queueBytes } = this.#limits;
    const isRoom = this.#records < queueSize && this.#bytes + bytes <= queueBytes;
    return isRoom || this.#records === 0;
  }

  /** Adds a record to the last batch, or begins one with it, as was done on disk. */
  push(line: string, bytes: number, saved: SavedPlace | undefined): void {
    const last = this.#batches.at(-1);
    const key =
      saved === undefined ? this.#toUnsavedKey(last, bytes) : toBatchKey(saved.log.id, saved.place);
    this.#unsavedKey = saved === undefined ? key : undefined;
    if (last?.key === key) {
      last.lines.push(line);
      last.bytes += bytes;
      this.#count(last, 1, bytes);
    } else {
      this.#add({ key, lines: [line], bytes, saved, aside: undefined });
    }
  }

  /** Adds a batch that was read back from the disk. */
  takeBack(lines: string[], saved: SavedPlace): void {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line, "utf8"), 0);
    const key = toBatchKey(saved.log.id, saved.place);
    this.#add({ key, lines, bytes, saved, aside: undefined });
  }

  /** Removes the first batch. */
  shift(): QueuedBatch | undefined {
    const batch = this.#batches.shift();
    if (batch !== undefined) this.#count(batch, -batch.lines.length, -batch.bytes);
    return batch;
  }

  /** From now on nothing is added to a batch that is not on disk. */
  endBatch({ key }: QueuedBatch): void {
    if (key === this.#unsavedKey) this.#unsavedKey = undefined;
  }

  /** The batches that are not on disk, oldest first. */
  findUnsaved(): QueuedBatch[] {
    return this.#batches.filter((batch) => !isSaved(batch));
  }

  /** Notes that a batch that was not on disk now stands in a folder of its own. */
  setAside(batch: QueuedBatch, path: string): void {
    batch.aside = path;
    this.#unsaved -= batch.lines.length;
  }

  /** Counts those that are not on disk no more; gives how many they are. */
  giveUpUnsaved(): number {
    const lost = this.#unsaved;
    for (const batch of this.findUnsaved()) this.#count(batch, -batch.lines.length, -batch.bytes);
    return lost;
  }

  /** The first segment of the log from which a batch is here. */
  firstSegmentOf(log: SpoolLog): number | undefined {
    return this.#batches.find(({ saved }) => saved?.log === log)?.saved?.place.segment;
  }

  #add(batch: QueuedBatch): void {
    this.#batches.push(batch);
    this.#count(batch, batch.lines.length, batch.bytes);
  }

  #count(batch: QueuedBatch, records: number, bytes: number): void {
    this.#records += records;
    this.#bytes += bytes;
    if (!isSaved(batch)) this.#unsaved += records;
  }

  #toUnsavedKey(last: QueuedBatch | undefined, bytes: number): string {
    const { batchSize, batchBytes } = this.#limits;
    const isOpen = last !== undefined && last.key === this.#unsavedKey;
    const isRoom = isOpen && last.lines.length < batchSize && last.bytes + bytes <= batchBytes;
    return isRoom ? last.key : toBatchKey(newLogId(this.#now()), { segment: 1, batch: 1 });
  }
}

function isSaved({ saved, aside }: QueuedBatch): boolean {
  return saved !== undefined || aside !== undefined;
}

export interface QueueLimits extends MemoryLimits, WriterLimits {}

export interface QueueEvents extends OverflowEvents, WriterEvents {}

export interface Clocks {
  /** Unix time in milliseconds, which somebody may set back. */
  readonly now: () => number;
  /** Milliseconds on a clock that nobody sets. */
  readonly elapsed: () => number;
}

/**
 * The records of this process that have not arrived, in order. Each is written to the log first; the
 * oldest, up to the limits, are in memory as well. Once memory is full, the others stand on disk alone,
 * in segments of their own, and are read back a segment at a time when memory is empty.
 */
export class RecordQueue implements BatchSource {
  readonly #memory: MemoryQueue;
  readonly #overflow: Overflow;
  readonly #writer: SpoolWriter;

  constructor(
    limits: QueueLimits,
    folder: SpoolFolder | undefined,
    events: QueueEvents,
    { now, elapsed }: Clocks,
  ) {
    this.#memory = new MemoryQueue(limits, now);
    this.#overflow = new Overflow(folder, events);
    this.#writer = new SpoolWriter(limits, folder, events, elapsed);
  }

  get queued(): number {
    return this.#memory.records;
  }

  get queuedBytes(): number {
    return this.#memory.bytes;
  }

  get spooled(): number {
    return this.#overflow.records;
  }

  get spoolBytes(): number {
    return this.#writer.bytes;
  }

  /** Records in memory that are not on disk. */
  get unsaved(): number {
    return this.#memory.unsaved;
  }

  get isEmpty(): boolean {
    return this.#memory.length === 0 && this.#overflow.isEmpty;
  }

  /** Sets how many bytes on disk are those of logs that are left. */
  set leftBytes(bytes: number) {
    this.#writer.leftBytes = bytes;
  }

  /** Whether the record was kept: false when there is room for it neither in memory nor on disk. */
  push(line: string): boolean {
    const bytes = Buffer.byteLength(line, "utf8");
    if (this.#overflow.isEmpty && this.#memory.hasRoom(bytes)) {
      const saved = this.#append(line, bytes);
      // What comes after it must not join a batch that stands before it.
      if (saved === undefined) this.#writer.endSegment();
      this.#memory.push(line, bytes, saved);
      return true;
    }
    if (this.#overflow.isEmpty) this.#writer.endSegment();
    const saved = this.#append(line, bytes);
    if (saved === undefined) return false;
    this.#overflow.add(saved);
    return true;
  }

  /** Throws SpoolUnreadableError when the first batch cannot be read back now. */
  async next(): Promise<Batch | undefined> {
    while (this.#memory.length === 0 && !this.#overflow.isEmpty) {
      await this.#overflow.load((lines, saved) => this.#memory.takeBack(lines, saved));
    }
    const batch = this.#memory.first;
    if (batch !== undefined && this.#memory.length === 1) this.#settle(batch);
    return batch;
  }

  finish(): void {
    const batch = this.#memory.shift();
    if (batch?.saved !== undefined) this.#forget(batch.saved);
    else if (batch?.aside !== undefined) this.#writer.removeAside(batch.aside);
  }

  /** Ends writing. Keeps on disk what was not kept yet; gives how many records could not be. */
  close(): number {
    for (const batch of this.#memory.findUnsaved()) this.#setAside(batch);
    const lost = this.#memory.giveUpUnsaved();
    this.#writer.close(this.isEmpty);
    return lost;
  }

  /** Writes a line to the log; undefined when the disk does not take it. */
  #append(line: string, bytes: number): SavedPlace | undefined {
    const saved = this.#writer.append(line, bytes, this.isEmpty);
    if (saved !== undefined && this.#memory.unsaved > 0) this.#saveOne();
    return saved;
  }

  /** The disk works again. One batch at a time, so that nobody waits for long. */
  #saveOne(): void {
    const [batch] = this.#memory.findUnsaved();
    if (batch === undefined) return;
    this.#memory.endBatch(batch);
    this.#setAside(batch);
  }

  #setAside(batch: QueuedBatch): void {
    const path = this.#writer.setAside(batch);
    if (path !== undefined) this.#memory.setAside(batch, path);
  }

  /** The batch is about to be sent: from now on nothing is added to it. */
  #settle(batch: QueuedBatch): void {
    if (batch.saved === undefined) this.#memory.endBatch(batch);
    else this.#writer.endBatch(batch.saved);
  }

  /** Notes that a batch has arrived, and removes the segments that nobody needs. */
  #forget(saved: SavedPlace): void {
    if (!this.#writer.isCurrent(saved)) return;
    const { log } = saved;
    const needed = this.#memory.firstSegmentOf(log) ?? this.#overflow.firstSegmentOf(log);
    this.#writer.finish(saved, needed);
  }
}
