import { OMISSION_REASONS } from "../../export/build-rollout.js";
import { EMPTY_RANGE, joinRanges } from "./range.js";
import type { PackedRollout } from "./rollout-packer.js";

/** How many of something there are, by reason. */
export type ReasonCounts = ReadonlyMap<string, number>;

/** Reasons are listed in their own order, whichever occurred first; any other comes first. */
function ordinalOf(reason: string): number {
  return ORDER.indexOf(reason);
}

const ORDER: readonly string[] = OMISSION_REASONS;

/** What became of the rollouts of a run: each is exported, faulty or contaminated. */
export class RolloutCounts {
  /** Rollouts and branches that were exported. */
  rollouts = 0;
  branches = 0;
  /** Rollouts that break a rule, and their branches. */
  faulty = { rollouts: 0, branches: 0 };
  /** Rollouts that were left out because they overlap the evaluation set, and their branches. */
  contaminated = { rollouts: 0, branches: 0 };
  /** Tool events that no record holds. */
  unreadableToolEvents = 0;
  /** Sampling temperatures of what was exported. */
  temperatures = EMPTY_RANGE;
  /** The fewest and the most branches of a rollout that was exported. */
  branchesPerRollout = EMPTY_RANGE;
  readonly #omitted: Map<string, number>[] = [];

  addExported({ branches, temperatures, omitted, unreadableToolEvents }: PackedRollout): void {
    this.rollouts += 1;
    this.branches += branches;
    this.temperatures = joinRanges(this.temperatures, temperatures);
    this.branchesPerRollout = joinRanges(this.branchesPerRollout, [branches, branches]);
    this.unreadableToolEvents += unreadableToolEvents;
    for (const [output, reason] of omitted.entries()) {
      if (reason !== undefined) this.#count(output, reason);
    }
  }

  addFaulty({ branches }: PackedRollout): void {
    this.faulty.rollouts += 1;
    this.faulty.branches += branches;
  }

  addContaminated({ branches }: PackedRollout): void {
    this.contaminated.rollouts += 1;
    this.contaminated.branches += branches;
  }

  /** How many rollouts have no record in an output, by reason, in the reasons' own order. */
  omitted(output: number): ReasonCounts {
    const counts = [...(this.#omitted[output] ?? [])];
    return new Map(counts.toSorted(([a], [b]) => ordinalOf(a) - ordinalOf(b)));
  }

  #count(output: number, reason: string): void {
    const counts = this.#omitted[output] ?? new Map<string, number>();
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    this.#omitted[output] = counts;
  }
}
