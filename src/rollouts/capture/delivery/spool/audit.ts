import type { Segment } from "./segment.js";

/** What a part of a log has lost. */
export interface Losses {
  /** Damaged lines in the place of missing records. */
  readonly lines: string[];
  /** So many of the missing records are in those lines. */
  damaged: number;
  /** The other missing records: no line is left of them. */
  missing: number;
  /** Damaged lines where no record is missing: they were headers, or added to the file. */
  surplus: number;
}

/**
 * Compares the records found in a log with those that were written: record numbers have no gaps. A damaged
 * line stands for one of the records that are missing where it is.
 */
export class LogAudit {
  /** Number of the next record, if none is missing; undefined if it may be any. */
  #next: number | undefined;
  /** Damaged lines since the last intact record. */
  #pending: string[] = [];
  #losses: Losses = toNoLosses();

  /** `first` is the number of the first record that has not arrived; undefined if that is not known. */
  constructor(first: number | undefined) {
    this.#next = first;
  }

  /** Adds a segment. Its torn last line counts as damaged, unless its writer may have died while it wrote it. */
  add({ entries, torn }: Segment, isTornExpected: boolean): void {
    for (const entry of entries) {
      if (typeof entry === "string") {
        this.#pending.push(entry);
      } else {
        this.#reach(entry.record - 1);
        this.#next = Math.max(this.#next ?? 0, entry.record + 1);
      }
    }
    // Only a damaged file has a NUL: JSON escapes it.
    if (torn.includes("\0") || (torn !== "" && !isTornExpected)) this.#pending.push(torn);
  }

  /** The log ends: so many records were written at least, or exactly that many. */
  end(written: number, isExact: boolean): void {
    const lines = this.#pending.length;
    // The end of a log without a count, or a log without an intact record: each damaged line stands for a record.
    this.#next ??= 1;
    const last = this.#next - 1 + lines;
    this.#reach(isExact ? written : Math.max(written, last));
  }

  /** The losses since the last call. */
  take(): Losses {
    const losses = this.#losses;
    this.#losses = toNoLosses();
    return losses;
  }

  /** All records up to this one were written before what follows. */
  #reach(record: number): void {
    const gap = Math.max(0, record + 1 - (this.#next ?? record + 1));
    if (gap > 0) {
      const damaged = Math.min(gap, this.#pending.length);
      this.#losses.damaged += damaged;
      this.#losses.missing += gap - damaged;
      this.#losses.lines.push(...this.#pending.splice(0));
      this.#next = record + 1;
    }
    this.#endPending();
  }

  #endPending(): void {
    this.#losses.surplus += this.#pending.splice(0).length;
  }
}

function toNoLosses(): Losses {
  return { lines: [], damaged: 0, missing: 0, surplus: 0 };
}
