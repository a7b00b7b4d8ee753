import { readdirSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Batch } from "../sinks/sink.js";
import { parseSegment } from "./parse-segment.js";
import { type BatchSource, toBatchKey } from "./queued-batch.js";
import { parseSegmentName, toSegmentName } from "./segment-name.js";
import type { LogFolder } from "./spool-folder.js";
import type { Place } from "./spool-log.js";
import { readProgress, writeProgress } from "./spool-progress.js";

/** What a log left tells while it is read. */
export interface LeftLogEvents {
  /** So many records have come to their end. */
  settled(records: number): void;
  /** Lines that are damaged. */
  damaged(lines: readonly string[]): Promise<void>;
  /** A segment cannot be read, and stays where it is. */
  unreadable(path: string, error: unknown): void;
}

interface WaitingBatch extends Batch {
  readonly place: Place;
}

/** The log of a process that has ended: its batches as they were settled, and under their keys. */
export class LeftLog implements BatchSource {
  readonly #folder: LogFolder;
  readonly #events: LeftLogEvents;
  readonly #done: Place;
  readonly #segments: { readonly number: number; readonly size: number }[];
  #waiting: WaitingBatch[] = [];
  #isWhole = true;

  constructor(folder: LogFolder, events: LeftLogEvents) {
    this.#folder = folder;
    this.#events = events;
    this.#done = readProgress(folder.path);
    this.#segments = this.#findSegments();
  }

  /** Bytes of its segments. */
  get bytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  async next(): Promise<Batch | undefined> {
    while (this.#waiting.length === 0) {
      const segment = this.#segments[0]?.number;
      if (segment === undefined) return undefined;
      await this.#load(segment);
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

  /** Removes the folder, unless something in it could not be read. */
  remove(): void {
    if (this.#isWhole) rmSync(this.#folder.path, { recursive: true, force: true });
  }

  #findSegments(): { number: number; size: number }[] {
    const { path } = this.#folder;
    try {
      const names = readdirSync(path).filter((name) => parseSegmentName(name) !== undefined);
      const segments = names.map((name) => {
        const size = statSync(join(path, name)).size;
        return { number: parseSegmentName(name) ?? 0, size };
      });
      return segments.sort((a, b) => a.number - b.number);
    } catch (error) {
      this.#isWhole = false;
      this.#events.unreadable(path, error);
      return [];
    }
  }

  async #load(segment: number): Promise<void> {
    const path = join(this.#folder.path, toSegmentName(segment));
    try {
      const { batches, damaged } = parseSegment(await readFile(path, "utf8"));
      if (damaged.length > 0) await this.#events.damaged(damaged);
      const all = batches.map((lines, index) => {
        const place = { segment, batch: index + 1 };
        return { key: toBatchKey(this.#folder.id, place), lines, place };
      });
      this.#waiting = all.filter(({ place, lines }) => lines.length > 0 && this.#isAhead(place));
    } catch (error) {
      this.#isWhole = false;
      this.#events.unreadable(path, error);
    }
  }

  #isAhead({ segment, batch }: Place): boolean {
    const done = this.#done;
    return segment > done.segment || (segment === done.segment && batch > done.batch);
  }

  #dropSegment(): void {
    const segment = this.#segments.shift()?.number;
    if (segment === undefined || !this.#isWhole) return;
    rmSync(join(this.#folder.path, toSegmentName(segment)), { force: true });
  }
}
