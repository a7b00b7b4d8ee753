import type { DeadLetters } from "./dead-letters.js";
import type { Ledger } from "./ledger.js";
import { Overflow } from "./overflow.js";
import type { BatchSource } from "./sender.js";
import type { Batch } from "./sinks/sink.js";
import type { SpoolFolder } from "./spool/folder.js";
import type { SpoolLog } from "./spool/log.js";
import { newLogId, toBatchKey } from "./spool/names.js";
import { type SavedPosition, SpoolWriter, type WriterLimits } from "./spool-writer.js";

interface MemoryLimits {
  /** Records and bytes in memory. */
  readonly queueSize: number;
  readonly queueBytes: number;
  /** Records and bytes after which a batch ends. */
  readonly batchSize: number;
  readonly batchBytes: number;
}

export interface QueueLimits extends MemoryLimits, WriterLimits {}

interface Clocks {
  /** Unix time in milliseconds, which may be set back. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
}

/**
 * The records of this process that have not arrived, in order. Each is written to disk first. The oldest,
 * up to the limits, are in memory too; the rest are on disk only (`Overflow`), and are read back a segment
 * at a time once memory is empty.
 */
export class RecordQueue implements BatchSource {
  readonly #ledger: Ledger;
  readonly #memory: MemoryQueue;
  readonly #overflow: Overflow;
  readonly #writer: SpoolWriter;

  constructor(
    limits: QueueLimits,
    folder: SpoolFolder | undefined,
    ledger: Ledger,
    deadLetters: DeadLetters,
    { now, elapsed }: Clocks,
  ) {
    this.#ledger = ledger;
    this.#memory = new MemoryQueue(limits, now);
    this.#overflow = new Overflow(folder, ledger, deadLetters);
    this.#writer = new SpoolWriter(limits, folder, ledger, elapsed);
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

  /** Returns false if neither memory nor the disk has room for the record. */
  push(line: string): boolean {
    const bytes = Buffer.byteLength(line, "utf8");
    if (this.#overflow.isEmpty && this.#memory.hasRoom(bytes)) {
      const saved = this.#append(line, bytes);
      // Later records must not join a batch that comes before this one.
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

  /** Throws SpoolUnreadableError if the first batch cannot be read back now. */
  async next(): Promise<Batch | undefined> {
    while (this.#memory.length === 0 && !this.#overflow.isEmpty) {
      await this.#overflow.load((lines, saved) => this.#memory.takeBack(lines, saved));
    }
    const batch = this.#memory.first;
    if (batch !== undefined && this.#memory.length === 1) this.#endBatch(batch);
    return batch;
  }

  finish(): void {
    const batch = this.#memory.shift();
    if (batch === undefined) return;
    if (batch.saved !== undefined) this.#forget(batch.saved);
    else if (batch.aside !== undefined) this.#writer.removeAside(batch.aside);
    this.#ledger.settle(batch.lines.length);
  }

  /** Removes the log if everything in it has arrived. The next record opens another one. */
  rest(): void {
    if (this.isEmpty) this.#writer.close(true);
  }

  /** Ends writing, and saves what is not on disk yet. Returns how many records could not be saved. */
  close(): number {
    for (const batch of this.#memory.findUnsaved()) this.#setAside(batch);
    const lost = this.#memory.giveUpUnsaved();
    this.#writer.close(this.isEmpty);
    return lost;
  }

  /** Writes a line to disk; returns undefined if the disk does not take it. */
  #append(line: string, bytes: number): SavedPosition | undefined {
    const saved = this.#writer.append(line, bytes, this.isEmpty);
    if (saved !== undefined && this.#memory.unsaved > 0) this.#saveOne();
    return saved;
  }

  /** The disk works again. Saves one batch at a time, so that no push takes long. */
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
  #endBatch(batch: QueuedBatch): void {
    if (batch.saved === undefined) this.#memory.endBatch(batch);
    else this.#writer.endBatch(batch.saved);
  }

  /** Notes that a batch has arrived, and removes the segments that are no longer needed. */
  #forget(saved: SavedPosition): void {
    if (!this.#writer.isCurrent(saved)) return;
    const { log } = saved;
    const needed = this.#memory.firstSegmentOf(log) ?? this.#overflow.firstSegmentOf(log);
    this.#writer.finish(saved, needed);
  }
}

/** A batch in memory. It may grow until it is sent. */
interface QueuedBatch extends Batch {
  readonly lines: string[];
  /** UTF-8 bytes of the lines. */
  bytes: number;
  /** Where its last record is in the log; undefined if the disk failed. */
  saved: SavedPosition | undefined;
  /** The log of its own in which it was saved once the disk worked again: the path of a folder. */
  aside: string | undefined;
}

/** The batches in memory, oldest first. */
class MemoryQueue {
  readonly #limits: MemoryLimits;
  readonly #now: () => number;
  readonly #batches: QueuedBatch[] = [];
  #records = 0;
  #bytes = 0;
  #unsaved = 0;
  /** Key of the last batch if it is not on disk and may still grow. */
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

  /** Whether a record of so many bytes fits. The first one always does. */
  hasRoom(bytes: number): boolean {
    const { queueSize, queueBytes } = this.#limits;
    const isRoom = this.#records < queueSize && this.#bytes + bytes <= queueBytes;
    return isRoom || this.#records === 0;
  }

  /** Adds a record to the last batch, or starts a batch with it: the same as was done on disk. */
  push(line: string, bytes: number, saved: SavedPosition | undefined): void {
    const last = this.#batches.at(-1);
    const key =
      saved === undefined
        ? this.#toUnsavedKey(last, bytes)
        : toBatchKey(saved.log.id, saved.position);
    this.#unsavedKey = saved === undefined ? key : undefined;
    if (last?.key === key) {
      last.lines.push(line);
      last.saved = saved;
      last.bytes += bytes;
      this.#count(last, 1, bytes);
    } else {
      this.#add({ key, lines: [line], bytes, saved, aside: undefined });
    }
  }

  /** Adds a batch that was read back from disk; `saved` is where its last record is. */
  takeBack(lines: string[], saved: SavedPosition): void {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line, "utf8"), 0);
    const key = toBatchKey(saved.log.id, saved.position);
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

  /** Notes that a batch now has a log of its own. */
  setAside(batch: QueuedBatch, path: string): void {
    batch.aside = path;
    this.#unsaved -= batch.lines.length;
  }

  /** No longer counts the records that are not on disk; returns how many they are. */
  giveUpUnsaved(): number {
    const lost = this.#unsaved;
    for (const batch of this.findUnsaved()) this.#count(batch, -batch.lines.length, -batch.bytes);
    return lost;
  }

  /** The first segment of the log that has a batch in memory. */
  firstSegmentOf(log: SpoolLog): number | undefined {
    return this.#batches.find(({ saved }) => saved?.log === log)?.saved?.position.segment;
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
