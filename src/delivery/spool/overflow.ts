import { readFile } from "node:fs/promises";
import { hasCode } from "../../files/source.js";
import { describeFault, type SavedPlace } from "../batch.js";
import type { SpoolFolder } from "./folder.js";
import { parseSegment, type SpoolLog } from "./log.js";

/** What stands in the spool cannot be read now: it stays there, and reading is tried again. */
export class SpoolUnreadableError extends Error {
  override readonly name = "SpoolUnreadableError";
}

export interface OverflowEvents {
  /** So many records that stood on disk alone are gone, and why. */
  lost(records: number, reason: string): void;
  /** So many are another process's business now. */
  handedOver(records: number): void;
}

interface OverflowSegment {
  readonly log: SpoolLog;
  readonly segment: number;
  records: number;
}

/** The records that stand on disk alone, in segments of their own, oldest first. */
export class Overflow {
  readonly #folder: SpoolFolder | undefined;
  readonly #events: OverflowEvents;
  readonly #segments: OverflowSegment[] = [];

  constructor(folder: SpoolFolder | undefined, events: OverflowEvents) {
    this.#folder = folder;
    this.#events = events;
  }

  get records(): number {
    return this.#segments.reduce((sum, { records }) => sum + records, 0);
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** Notes that one more record stands there. */
  add({ log, place }: SavedPlace): void {
    const last = this.#segments.at(-1);
    if (last?.log === log && last.segment === place.segment) last.records += 1;
    else this.#segments.push({ log, segment: place.segment, records: 1 });
  }

  /** The first segment of the log that is here. */
  firstSegmentOf(log: SpoolLog): number | undefined {
    return this.#segments.find((each) => each.log === log)?.segment;
  }

  /**
   * Gives the batches of the first segment to `take`; they are no longer here then. Throws
   * SpoolUnreadableError when that cannot be read now: nothing has changed then.
   */
  async load(take: (lines: string[], saved: SavedPlace) => void): Promise<void> {
    const first = this.#segments[0];
    if (first === undefined) return;
    const { log, segment } = first;
    if (log.isOpen(segment)) log.endSegment();
    const text = await this.#read(first);
    this.#segments.shift();
    if (text === undefined) return;
    const { batches } = parseSegment(text);
    const found = batches.reduce((sum, lines) => sum + lines.length, 0);
    if (found < first.records) this.#events.lost(first.records - found, "damaged on the disk");
    for (const [index, lines] of batches.entries()) {
      if (lines.length > 0) take(lines, { log, place: { segment, batch: index + 1 } });
    }
  }

  /** The segment's text; undefined when it is gone. */
  async #read({ log, segment, records }: OverflowSegment): Promise<string | undefined> {
    const path = log.pathOf(segment);
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw toUnreadable(path, error);
      const isTaken = !log.isOurs() && (await this.#isElsewhere(log));
      if (isTaken) this.#events.handedOver(records);
      else this.#events.lost(records, `the spool cannot be read: ${describeFault(error)}`);
      return undefined;
    }
  }

  /** Whether another process has the log now. */
  async #isElsewhere(log: SpoolLog): Promise<boolean> {
    const folder = this.#folder;
    try {
      return folder !== undefined && (await folder.hasLog(log.id));
    } catch (error) {
      throw toUnreadable(folder?.path ?? "", error);
    }
  }
}

function toUnreadable(path: string, error: unknown): SpoolUnreadableError {
  return new SpoolUnreadableError(`${path} cannot be read: ${describeFault(error)}`);
}
