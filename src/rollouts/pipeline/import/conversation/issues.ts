import { formatCount } from "../../../../base/text.js";
import type { ImportFault } from "../reader.js";
import { type ChangeId, Tally } from "../tally.js";
import { RowFields } from "./fields.js";

/** What is counted in a row that can still be imported: how one and several of them are named, and the reason. */
const WARNINGS = {
  "unplaced-message": [
    "part",
    "parts",
    "of the conversation left out: a branch has no field for images and the like",
  ],
  "part-order": ["text", "texts", "after a call of the same message: moved before the calls"],
  "no-arguments": ["call", "calls", "without arguments: read as {}"],
} as const;

type WarningId = keyof typeof WARNINGS;

/**
 * What becomes of a part of a conversation that a branch cannot hold, such as an image. In rows made for training,
 * it is an error. In the log of a run, it is left out with a warning, because the rest of the run is worth keeping.
 */
type UnplacedParts = "refused" | "left-out";

/** The faults of a row, and what it loses without being faulty. */
export class RowIssues extends RowFields {
  readonly unplacedParts: UnplacedParts;
  readonly #counted = new Map<WarningId, { pointer: string; count: number }>();
  readonly tally = new Tally();

  constructor(unplacedParts: UnplacedParts = "refused") {
    super();
    this.unplacedParts = unplacedParts;
  }

  /** For what is found inside a JSON text: see `addInner`. */
  createInner(): RowIssues {
    return new RowIssues(this.unplacedParts);
  }

  /** Adds a part that a branch cannot hold: an error, or a warning. `message` says why it is an error. */
  addUnplaced(id: string, pointer: string, message: string): void {
    if (this.unplacedParts === "left-out") this.warn("unplaced-message", pointer);
    else this.fail(id, pointer, message);
  }

  /** Number of parts that are left out so far. */
  get unplacedCount(): number {
    return this.#counted.get("unplaced-message")?.count ?? 0;
  }

  /** Adds an error. */
  fail(id: string, pointer: string, message: string, cause?: string): void {
    this.faults.push({ id, pointer, message, cause });
  }

  /** Counts something that is lost or changed. Only the first place is reported. */
  warn(id: WarningId, pointer: string, count = 1): void {
    const known = this.#counted.get(id) ?? { pointer, count: 0 };
    this.#counted.set(id, { ...known, count: known.count + count });
  }

  /** Counts something that is read otherwise than it was written. */
  change(id: ChangeId, count = 1): void {
    this.tally.change(id, count);
  }

  /** One warning per kind. */
  get warnings(): ImportFault[] {
    return [...this.#counted].map(([id, { pointer, count }]) => {
      const [one, several, why] = WARNINGS[id];
      return { id, pointer, message: `${formatCount(count, one, several)} ${why}`, cause: why };
    });
  }

  /**
   * Takes over what was found in a JSON text that is the value at `pointer`. Places inside a text cannot be
   * located, so the message names them.
   */
  addInner(inner: RowIssues, pointer: string): void {
    for (const { id, pointer: at, message, cause = message } of inner.faults) {
      const place = at === "" ? "" : `in its JSON text at ${at}: `;
      this.fail(id, pointer, `${place}${message}`, cause);
    }
    for (const [id, { count }] of inner.#counted) this.warn(id, pointer, count);
    this.tally.add(inner.tally, pointer);
  }

  /** Takes over what was counted by issues that were tried apart. */
  addCounts(inner: RowIssues): void {
    for (const [id, { pointer, count }] of inner.#counted) this.warn(id, pointer, count);
    this.tally.add(inner.tally);
  }
}
