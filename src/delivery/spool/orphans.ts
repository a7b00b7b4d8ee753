import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../../files/source.js";
import { type BatchSource, toBatchKey } from "../batch.js";
import type { Batch } from "../sinks/sink.js";
import type { LogFolder, SpoolFolder } from "./folder.js";
import { type Place, parseSegment, readProgress, writeProgress } from "./log.js";
import { parseSegmentName, toSegmentName } from "./names.js";

/** What a log left tells while it is read. */
export interface LeftLogEvents {
  /** So many records have come to their end. */
  settled(records: number): void;
  /** Lines that are damaged. */
  damaged(lines: readonly string[]): Promise<void>;
  /** It cannot be read now, and is tried again: said once, and once that it can be. */
  unreadable(path: string, error: unknown): void;
  readable(path: string): void;
  /** A segment is not there any more. */
  gone(path: string): void;
}

interface WaitingBatch extends Batch {
  readonly place: Place;
}

interface LeftSegment {
  readonly number: number;
  readonly size: number;
}

/**
 * The log of a process that has ended: its batches as they were settled, and under their keys. Where it
 * cannot be read it stops, so that nothing is taken for done that was not sent, and may be asked again.
 */
export class LeftLog implements BatchSource {
  readonly #folder: LogFolder;
  readonly #events: LeftLogEvents;
  readonly #done: Place;
  /** Those that are to be gone through; undefined until they could be listed. */
  #segments: LeftSegment[] | undefined;
  #waiting: WaitingBatch[] = [];
  /** What could not be read the last time. */
  #unreadable: string | undefined;

  constructor(folder: LogFolder, events: LeftLogEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#done = readProgress(folder.path);
    this.#findSegments();
  }

  /** Bytes of its segments. */
  get bytes(): number {
    return this.#segments?.reduce((sum, { size }) => sum + size, 0) ?? 0;
  }

  /** Whether all of it is done: else `next` gave nothing because it cannot be read now. */
  get isDone(): boolean {
    return this.#segments?.length === 0;
  }

  async next(): Promise<Batch | undefined> {
    const segments = this.#segments ?? this.#findSegments();
    while (this.#waiting.length === 0) {
      const segment = segments?.[0]?.number;
      if (segment === undefined || !(await this.#load(segment))) return undefined;
      if (this.#waiting.length === 0) this.#dropSegment();
    }
    return this.#waiting[0];
  }

  finish(): void {
    const batch = this.#waiting.shift();
    if (batch === undefined) return;
    this.#events.settled(batch.lines.length);
    try {
      writeProgress(this.#folder.path, batch.place);
    } catch {
      // It may be sent again after a crash, under its key.
    }
    if (this.#waiting.length === 0) this.#dropSegment();
  }

  /** Removes the folder of a log that is done. */
  remove(): void {
    remove(this.#folder.path);
  }

  #findSegments(): LeftSegment[] | undefined {
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
      // Whoever took the whole log over sends it.
      if (hasCode(error, "ENOENT") && !existsSync(path)) this.#segments = [];
      else this.#fail(path, error);
    }
    return this.#segments;
  }

  /** Gives whether the segment is read, or is not there to be. */
  async #load(segment: number): Promise<boolean> {
    const path = join(this.#folder.path, toSegmentName(segment));
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return this.#fail(path, error);
      if (existsSync(this.#folder.path)) this.#events.gone(path);
      return true;
    }
    this.#succeed(path);
    const { batches, damaged } = parseSegment(text);
    if (damaged.length > 0) await this.#events.damaged(damaged);
    const all = batches.map((lines, index) => {
      const place = { segment, batch: index + 1 };
      return { key: toBatchKey(this.#folder.id, place), lines, place };
    });
    this.#waiting = all.filter(({ place, lines }) => lines.length > 0 && this.#isAhead(place));
    return true;
  }

  #fail(path: string, error: unknown): false {
    if (this.#unreadable !== path) this.#events.unreadable(path, error);
    this.#unreadable = path;
    return false;
  }

  #succeed(path: string): void {
    if (this.#unreadable === path) this.#events.readable(path);
    this.#unreadable = undefined;
  }

  #isAhead({ segment, batch }: Place): boolean {
    const done = this.#done;
    return segment > done.segment || (segment === done.segment && batch > done.batch);
  }

  #dropSegment(): void {
    const segment = this.#segments?.shift()?.number;
    if (segment !== undefined) remove(join(this.#folder.path, toSegmentName(segment)));
  }
}

/** What cannot be removed now is known to be done, and goes with the log or with the next process. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // See above.
  }
}

/**
 * The logs of processes that have ended, one after the other. One that cannot be read rests until logs are
 * looked for again, and holds up no other.
 */
export class LeftLogs implements BatchSource {
  readonly #folder: SpoolFolder;
  readonly #events: LeftLogEvents;
  readonly #logs: LeftLog[] = [];
  readonly #resting: LeftLog[] = [];

  constructor(folder: SpoolFolder, events: LeftLogEvents) {
    this.#folder = folder;
    this.#events = events;
  }

  /** Whether there is nothing to send now. */
  get isEmpty(): boolean {
    return this.#logs.length === 0;
  }

  /** Bytes of them all. */
  get bytes(): number {
    return [...this.#logs, ...this.#resting].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Looks for such logs, and gives a sign of life. Gives how many were found. Throws as node:fs does. */
  async look(): Promise<number> {
    this.#logs.push(...this.#resting.splice(0));
    const claimed = await this.#folder.claim();
    this.#logs.push(...claimed.map((log) => new LeftLog(log, this.#events)));
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
      else this.#resting.push(log);
    }
  }

  finish(): void {
    this.#logs[0]?.finish();
  }
}
