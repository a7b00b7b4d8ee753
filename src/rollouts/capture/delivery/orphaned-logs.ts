import { existsSync, rmSync } from "node:fs";
import { hasCode } from "../../../base/files/source.js";
import { formatCount } from "../../../base/text.js";
import type { DeadLetters } from "./dead-letters.js";
import { describeFault, type Ledger } from "./ledger.js";
import type { BatchSource } from "./sender.js";
import type { Batch } from "./sinks/sink.js";
import { LogAudit } from "./spool/audit.js";
import type { LogFolder, SpoolFolder } from "./spool/folder.js";
import type { RecordPosition } from "./spool/log.js";
import { type LogPosition, toBatchKey } from "./spool/names.js";
import { NO_PROGRESS, type Progress, readProgress, writeProgress } from "./spool/progress.js";
import { groupBatches, parseSegment } from "./spool/segment.js";
import { listSegments, readSegmentFile, type SegmentFile } from "./spool/segment-files.js";

/**
 * The logs of processes that have ended, one after the other. A log that cannot be read is set aside until
 * the next search, and does not delay the others.
 */
export class OrphanedLogs implements BatchSource {
  readonly #folder: SpoolFolder;
  readonly #ledger: Ledger;
  readonly #deadLetters: DeadLetters;
  readonly #logs: OrphanedLog[] = [];
  readonly #unreadable: OrphanedLog[] = [];
  /** Whether logs were adopted of which nothing was sent so far. */
  #isUnannounced = false;

  constructor(folder: SpoolFolder, ledger: Ledger, deadLetters: DeadLetters) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
  }

  /** Whether there is nothing to send now. */
  get isEmpty(): boolean {
    return this.#logs.length === 0;
  }

  /** Searches the spool for such logs. Throws as node:fs does. */
  async adopt(): Promise<void> {
    this.#logs.push(...this.#unreadable.splice(0));
    const claimed = await this.#folder.claim();
    const adopted = claimed.map((log) => new OrphanedLog(log, this.#ledger, this.#deadLetters));
    this.#logs.push(...adopted);
    if (adopted.length > 0) this.#isUnannounced = true;
    this.#measure();
  }

  async next(): Promise<Batch | undefined> {
    for (;;) {
      const log = this.#logs[0];
      if (log === undefined) return undefined;
      const batch = await log.next();
      if (batch !== undefined) {
        // Not when they are adopted: everything in them may have arrived.
        if (this.#isUnannounced) this.#ledger.noteOrphans(this.#logs.length);
        this.#isUnannounced = false;
        return batch;
      }
      this.#logs.shift();
      if (log.isDone) log.remove();
      else this.#unreadable.push(log);
      this.#measure();
    }
  }

  finish(): void {
    this.#logs[0]?.finish();
    this.#measure();
  }

  #measure(): void {
    const all = [...this.#logs, ...this.#unreadable];
    this.#ledger.orphanedBytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

interface OrphanedBatch extends Batch {
  readonly position: RecordPosition;
}

/**
 * The log of a process that has ended: the same batches, under the same keys. If it cannot be read it
 * stops there, and may be asked again, so that nothing counts as done that was not sent. Records that are
 * damaged or missing are counted and logged.
 */
export class OrphanedLog {
  readonly #folder: LogFolder;
  readonly #ledger: Ledger;
  readonly #deadLetters: DeadLetters;
  /** What had arrived when the log was listed. */
  #done = NO_PROGRESS;
  #audit = new LogAudit(1);
  /** The segments that are not done; undefined until they could be listed. */
  #segments: SegmentFile[] | undefined;
  /** The batches of the first segment that are not done. */
  #batches: OrphanedBatch[] = [];
  #hasEnded = false;
  /** What could not be read the last time. */
  #unreadable: string | undefined;

  constructor(folder: LogFolder, ledger: Ledger, deadLetters: DeadLetters) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
    this.#listSegments();
  }

  /** Bytes of its segments. */
  get bytes(): number {
    return this.#segments?.reduce((sum, { size }) => sum + size, 0) ?? 0;
  }

  /** True once everything is delivered. If false, `next` returned nothing because the log is unreadable now. */
  get isDone(): boolean {
    return this.#segments?.length === 0;
  }

  async next(): Promise<Batch | undefined> {
    const segments = this.#segments ?? this.#listSegments();
    while (this.#batches.length === 0) {
      const file = segments?.[0];
      if (file === undefined) {
        if (segments !== undefined) await this.#end();
        return undefined;
      }
      if (!(await this.#load(file))) return undefined;
      if (this.#batches.length === 0) this.#dropSegment();
    }
    return this.#batches[0];
  }

  finish(): void {
    const batch = this.#batches.shift();
    if (batch === undefined) return;
    this.#ledger.recover(batch.lines.length);
    const written = Math.max(this.#done.written, batch.position.record);
    try {
      const { path, id } = this.#folder;
      writeProgress(path, id, { ...this.#done, ...batch.position, written });
    } catch {
      // After a crash it may be sent again, under its key.
    }
    if (this.#batches.length === 0) this.#dropSegment();
  }

  /** Removes the folder of a log that is done. */
  remove(): void {
    remove(this.#folder.path);
  }

  #listSegments(): SegmentFile[] | undefined {
    const { path, id } = this.#folder;
    try {
      const note = readProgress(path, id);
      const { segments, copies } = listSegments(path, id);
      this.#segments = segments;
      this.#succeed(path);
      this.#begin(note, segments[0]?.number ?? 1);
      for (const copy of copies) {
        this.#ledger.say("warn", `${copy.path} is a copy of segment ${copy.number}: left out`);
      }
    } catch (error) {
      // If another process took the log over, that one sends it.
      if (hasCode(error, "ENOENT") && !existsSync(path)) {
        this.#segments = [];
      } else {
        this.#fail(path, error);
      }
    }
    return this.#segments;
  }

  #begin(note: Progress | "absent" | "damaged", first: number): void {
    const { path } = this.#folder;
    if (typeof note !== "string") {
      this.#done = note;
      this.#audit = new LogAudit(note.record + 1);
      return;
    }
    if (note === "damaged") {
      const after = "batches that have arrived may be sent again, under their keys";
      this.#ledger.say("warn", `the note of progress in ${path} is damaged: ${after}`);
    }
    if (first === 1) return;
    // They may have arrived and been removed.
    const unknown = `it is unknown whether the segments before ${first} have arrived`;
    this.#ledger.say("error", `${path} has no valid note of progress: ${unknown}`);
    this.#audit = new LogAudit(undefined);
  }

  /** Returns false if the segment cannot be read now; one that is gone counts as read. */
  async #load({ number: segment, path }: SegmentFile): Promise<boolean> {
    let text: string;
    try {
      text = await readSegmentFile(path);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return this.#fail(path, error);
      if (existsSync(this.#folder.path)) {
        this.#ledger.say("error", `${path} is gone; this process did not send it`);
      }
      return true;
    }
    this.#succeed(path);
    const { id } = this.#folder;
    const parsed = parseSegment(text, { log: id, segment });
    this.#audit.add(parsed, this.#segments?.length === 1 && !this.#done.isClosed);
    await this.#report(path);
    this.#batches = [...groupBatches(parsed)]
      .map(([batch, stored]) => {
        const position = { segment, batch, record: stored.at(-1)?.record ?? 0 };
        return {
          key: toBatchKey(id, position),
          lines: stored.map(({ line }) => line),
          position,
        };
      })
      .filter(({ position }) => this.#isAhead(position));
    return true;
  }

  /** Everything that is there was read: counts what is missing at the end. */
  async #end(): Promise<void> {
    // A log that another process took over is no longer here.
    if (this.#hasEnded || !existsSync(this.#folder.path)) return;
    this.#hasEnded = true;
    this.#audit.end(this.#done.written, this.#done.isClosed);
    await this.#report(this.#folder.path);
  }

  async #report(path: string): Promise<void> {
    const { lines, damaged, missing, surplus } = this.#audit.take();
    if (lines.length > 0) {
      this.#ledger.recover(damaged);
      const file = await this.#deadLetters.keep(lines, "they are damaged on disk", damaged);
      this.#ledger.damage(lines.length, damaged, file);
    }
    if (missing > 0) {
      this.#ledger.recover(missing);
      this.#ledger.drop("lost", missing, `missing on disk, in or before ${path}`);
    }
    if (surplus > 0) {
      const what = formatCount(surplus, "damaged line");
      this.#ledger.say("warn", `${path} has ${what} in which no record is missing: left out`);
    }
  }

  #fail(path: string, error: unknown): false {
    if (this.#unreadable !== path) {
      this.#ledger.say("error", `${path} cannot be read, retrying: ${describeFault(error)}`);
    }
    this.#unreadable = path;
    return false;
  }

  #succeed(path: string): void {
    if (this.#unreadable === path)
      this.#ledger.say("info", `${path} can be read again: sending it`);
    this.#unreadable = undefined;
  }

  #isAhead({ segment, batch }: LogPosition): boolean {
    const done = this.#done;
    return segment > done.segment || (segment === done.segment && batch > done.batch);
  }

  #dropSegment(): void {
    const file = this.#segments?.shift();
    if (file !== undefined) remove(file.path);
  }
}

/** A file that cannot be removed now is known to be done: it goes with the log, or the next process removes it. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // See above.
  }
}
