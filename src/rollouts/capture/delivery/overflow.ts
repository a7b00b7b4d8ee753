import { hasCode } from "../../../base/files/source.js";
import type { DeadLetters } from "./dead-letters.js";
import { describeFault, type Ledger } from "./ledger.js";
import type { SpoolFolder } from "./spool/folder.js";
import type { SpoolLog } from "./spool/log.js";
import { groupBatches, parseSegment, type Segment } from "./spool/segment.js";
import { readSegmentFile } from "./spool/segment-files.js";
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
  readonly #deadLetters: DeadLetters;
  readonly #segments: OverflowSegment[] = [];

  constructor(folder: SpoolFolder | undefined, ledger: Ledger, deadLetters: DeadLetters) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
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
    const parsed = parseSegment(text, { log: log.id, segment });
    for (const [batch, stored] of groupBatches(parsed)) {
      const position = { segment, batch, record: stored.at(-1)?.record ?? 0 };
      take(
        stored.map(({ line }) => line),
        { log, position },
      );
    }
    await this.#countLost(first, parsed);
  }

  async #countLost({ log, segment, records }: OverflowSegment, parsed: Segment): Promise<void> {
    const { entries, torn } = parsed;
    const damaged = entries.filter((entry) => typeof entry === "string");
    const lost = records - (entries.length - damaged.length);
    if (torn !== "") damaged.push(torn);
    if (lost <= 0) return;
    const kept = Math.min(lost, damaged.length);
    if (kept > 0) {
      const file = await this.#deadLetters.keep(damaged, "they are damaged on disk", kept);
      this.#ledger.damage(damaged.length, kept, file);
      this.#ledger.settle(kept);
    }
    if (lost > kept) this.#ledger.lose(lost - kept, `missing in ${log.pathOf(segment)}`);
  }

  /** The segment's text; undefined if it is gone. */
  async #read({ log, segment, records }: OverflowSegment): Promise<string | undefined> {
    const path = log.pathOf(segment);
    try {
      return await readSegmentFile(path);
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
