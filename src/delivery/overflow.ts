import { readFile } from "node:fs/promises";
import { hasCode } from "../files/source.js";
import { describeFault, type Ledger } from "./ledger.js";
import type { SpoolFolder } from "./spool/folder.js";
import { parseSegment, type SpoolLog } from "./spool/log.js";
import type { SavedPosition } from "./spool-writer.js";

/** The spool cannot be read now. Nothing in it is lost; try again later. */
export class SpoolUnreadableError extends Error {
  override readonly name = "SpoolUnreadableError";
}

interface OverflowSegment {
  readonly log: SpoolLog;
  readonly segment: number;
  records: number;
}

/** The records that did not fit into memory: on disk only, in segments of their own, oldest first. */
export class Overflow {
  readonly #folder: SpoolFolder | undefined;
  readonly #ledger: Ledger;
  readonly #segments: OverflowSegment[] = [];

  constructor(folder: SpoolFolder | undefined, ledger: Ledger) {
    this.#folder = folder;
    this.#ledger = ledger;
  }

  get records(): number {
    return this.#segments.reduce((sum, { records }) => sum + records, 0);
  }

  get isEmpty(): boolean {
    return this.#segments.length === 0;
  }

  /** Counts a record that was just written. */
  add({ log, position }: SavedPosition): void {
    const last = this.#segments.at(-1);
    if (last?.log === log && last.segment === position.segment) last.records += 1;
    else this.#segments.push({ log, segment: position.segment, records: 1 });
  }

  /** The first segment of the log that has overflow. */
  firstSegmentOf(log: SpoolLog): number | undefined {
    return this.#segments.find((each) => each.log === log)?.segment;
  }

  /**
   * Passes the batches of the first segment to `take`, and forgets the segment. Throws
   * SpoolUnreadableError if it cannot be read now; then nothing has changed.
   */
  async load(take: (lines: string[], saved: SavedPosition) => void): Promise<void> {
    const first = this.#segments[0];
    if (first === undefined) return;
    const { log, segment } = first;
    if (log.isOpen(segment)) log.endSegment();
    const text = await this.#read(first);
    this.#segments.shift();
    if (text === undefined) return;
    const { batches } = parseSegment(text);
    const found = batches.reduce((sum, lines) => sum + lines.length, 0);
    if (found < first.records) this.#ledger.lose(first.records - found, "damaged on disk");
    for (const [index, lines] of batches.entries()) {
      if (lines.length > 0) take(lines, { log, position: { segment, batch: index + 1 } });
    }
  }

  /** The segment's text; undefined if it is gone. */
  async #read({ log, segment, records }: OverflowSegment): Promise<string | undefined> {
    const path = log.pathOf(segment);
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (!hasCode(error, "ENOENT")) throw toUnreadable(path, error);
      const isTaken = !log.isOurs() && (await this.#isElsewhere(log));
      if (isTaken) this.#ledger.handOver(records);
      else this.#ledger.lose(records, `the spool cannot be read: ${describeFault(error)}`);
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
