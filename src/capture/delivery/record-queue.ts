import type { Batch } from "../sinks/sink.js";
import { type MemoryLimits, MemoryQueue } from "./memory-queue.js";
import { Overflow, type OverflowEvents } from "./overflow.js";
import type { BatchSource, QueuedBatch, SavedPlace } from "./queued-batch.js";
import type { SpoolFolder } from "./spool-folder.js";
import { SpoolWriter, type WriterEvents, type WriterLimits } from "./spool-writer.js";

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
