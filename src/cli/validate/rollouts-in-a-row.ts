import { type BranchRow, branchRows } from "../../validation/branch-rows.js";
import { checkBranches } from "../../validation/check-record.js";
import type { RuleSeverities } from "../../validation/profiles.js";
import { MAX_SEEN, SeenHashes } from "../rollouts/seen-hashes.js";

/**
 * Holds rollouts against the rules while their branches come by, as long as the branches of each stand in a row and
 * nothing is wrong with them: then nobody has to look at them again.
 */
export class RolloutsInARow {
  readonly #severities: RuleSeverities;
  readonly #maxSeen: number;
  readonly #seen = new SeenHashes();
  #latest: BranchRow[] = [];
  #isSettled = true;

  constructor(severities: RuleSeverities, maxSeen: number = MAX_SEEN) {
    this.#severities = severities;
    this.#maxSeen = maxSeen;
  }

  /** The next rows, as numbers. */
  add(numbers: Float64Array): void {
    for (let at = 0; this.#isSettled && at < numbers.length; at += branchRows.width) {
      const row = branchRows.fromNumbers(numbers, at);
      if (row.hash !== this.#latest[0]?.hash) this.#begin(row);
      this.#latest.push(row);
    }
  }

  /** How many rollouts there are, when no more rows follow; undefined where they have to be looked at again. */
  end(): number | undefined {
    this.#judge();
    return this.#isSettled ? this.#seen.size : undefined;
  }

  #begin({ hash }: BranchRow): void {
    this.#judge();
    this.#latest = [];
    if (this.#seen.add(hash) || this.#seen.size > this.#maxSeen) this.#isSettled = false;
  }

  #judge(): void {
    const [first] = this.#latest;
    if (this.#latest.some(({ otherHash }) => otherHash !== first?.otherHash))
      this.#isSettled = false;
    if (checkBranches(this.#latest, this.#severities).length > 0) this.#isSettled = false;
  }
}
