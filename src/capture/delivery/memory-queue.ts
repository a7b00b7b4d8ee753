import { newLogId } from "./new-log-id.js";
import { type QueuedBatch, type SavedPlace, toBatchKey } from "./queued-batch.js";
import type { SpoolLog } from "./spool-log.js";

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
