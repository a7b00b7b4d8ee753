import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../files/source.js";
import type { DeadLetters } from "./dead-letters.js";
import { describeFault, type Ledger } from "./ledger.js";
import type { BatchSource } from "./sender.js";
import type { Batch } from "./sinks/sink.js";
import type { LogFolder, SpoolFolder } from "./spool/folder.js";
import { parseSegment, readProgress, writeProgress } from "./spool/log.js";
import { type LogPosition, parseSegmentName, toBatchKey, toSegmentName } from "./spool/names.js";

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

  constructor(folder: SpoolFolder, ledger: Ledger, deadLetters: DeadLetters) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
  }

  /** Whether there is nothing to send now. */
  get isEmpty(): boolean {
    return this.#logs.length === 0;
  }

  /** Searches the spool for such logs; returns how many were found. Throws as node:fs does. */
  async adopt(): Promise<number> {
    this.#logs.push(...this.#unreadable.splice(0));
    const claimed = await this.#folder.claim();
    const adopted = claimed.map((log) => new OrphanedLog(log, this.#ledger, this.#deadLetters));
    this.#logs.push(...adopted);
    this.#measure();
    return claimed.length;
  }

  async next(): Promise<Batch | undefined> {
    for (;;) {
      const log = this.#logs[0];
      if (log === undefined) return undefined;
      const batch = await log.next();
      if (batch !== undefined) return batch;
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
  readonly position: LogPosition;
}

interface OrphanedSegment {
  readonly number: number;
  readonly size: number;
}

/**
 * The log of a process that has ended: the same batches, under the same keys. If it cannot be read it
 * stops there, and may be asked again, so that nothing counts as done that was not sent.
 */
export class OrphanedLog {
  readonly #folder: LogFolder;
  readonly #ledger: Ledger;
  readonly #deadLetters: DeadLetters;
  readonly #done: LogPosition;
  /** The segments that are not done; undefined until they could be listed. */
  #segments: OrphanedSegment[] | undefined;
  /** The batches of the first segment that are not done. */
  #batches: OrphanedBatch[] = [];
  /** What could not be read the last time. */
  #unreadable: string | undefined;

  constructor(folder: LogFolder, ledger: Ledger, deadLetters: DeadLetters) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
    this.#done = readProgress(folder.path);
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
      const segment = segments?.[0]?.number;
      if (segment === undefined || !(await this.#load(segment))) return undefined;
      if (this.#batches.length === 0) this.#dropSegment();
    }
    return this.#batches[0];
  }

  finish(): void {
    const batch = this.#batches.shift();
    if (batch === undefined) return;
    this.#ledger.recover(batch.lines.length);
    try {
      writeProgress(this.#folder.path, batch.position);
    } catch {
      // After a crash it may be sent again, under its key.
    }
    if (this.#batches.length === 0) this.#dropSegment();
  }

  /** Removes the folder of a log that is done. */
  remove(): void {
    remove(this.#folder.path);
  }

  #listSegments(): OrphanedSegment[] | undefined {
    const { path } = this.#folder;
    try {
      const names = readdirSync(path).filter((name) => parseSegmentName(name) !== undefined);
      const segments = names.map((name) => {
        const size = statSync(join(path, name)).size;
        return { number: parseSegmentName(name) ?? 0, size };
      });
      this.#segments = segments.sort((a, b) => a.number - b.number);
      this.#succeed(path);
    } catch (error) {
      // If another process took the log over, that one sends it.
      if (hasCode(error, "ENOENT") && !existsSync(path)) this.#segments = [];
      else this.#fail(path, error);
    }
    return this.#segments;
  }

  /** Returns false if the segment cannot be read now; one that is gone counts as read. */
  async #load(segment: number): Promise<boolean> {
    const path = join(this.#folder.path, toSegmentName(segment));
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return this.#fail(path, error);
      if (existsSync(this.#folder.path)) {
        this.#ledger.say("error", `${path} is gone; this process did not send it`);
      }
      return true;
    }
    this.#succeed(path);
    const { batches, damaged } = parseSegment(text);
    if (damaged.length > 0) {
      this.#ledger.recoverDamaged(damaged.length, await this.#deadLetters.keep(damaged));
    }
    const all = batches.map((lines, index) => {
      const position = { segment, batch: index + 1 };
      return { key: toBatchKey(this.#folder.id, position), lines, position };
    });
    this.#batches = all.filter(
      ({ position, lines }) => lines.length > 0 && this.#isAhead(position),
    );
    return true;
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
    const segment = this.#segments?.shift()?.number;
    if (segment !== undefined) remove(join(this.#folder.path, toSegmentName(segment)));
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
