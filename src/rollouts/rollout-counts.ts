import { OMISSION_REASONS } from "../export/build-rollout.js";
import { SecretCounter } from "../redact/line-redactor.js";
import { EMPTY_RANGE, joinRanges } from "./positions.js";
import type { SerializedRollout } from "./serializer.js";

export type ReasonCounts = ReadonlyMap<string, number>;

/** Reasons are listed in a fixed order; unknown ones come first. */
function ordinalOf(reason: string): number {
  return ORDER.indexOf(reason);
}

const ORDER: readonly string[] = OMISSION_REASONS;

/** Counts the rollouts of a run by outcome: each is exported, faulty or contaminated. */
export class RolloutCounts {
  /** Number of exported rollouts and of their branches. */
  rollouts = 0;
  branches = 0;
  /** Number of rollouts that violate a rule, and of their branches. */
  faulty = { rollouts: 0, branches: 0 };
  /** Number of rollouts that were omitted because they overlap the evaluation set, and of their branches. */
  contaminated = { rollouts: 0, branches: 0 };
  /** Number of tool events that are in no record. */
  unreadableToolEvents = 0;
  /** Number of branches that call tools and declare none. */
  missingTools = 0;
  /** Range of the sampling temperatures of the exported branches. */
  temperatures = EMPTY_RANGE;
  /** Range of the number of branches per exported rollout. */
  branchesPerRollout = EMPTY_RANGE;
  /** The secrets that were replaced in the exported branches. */
  readonly secrets = new SecretCounter();
  readonly #omitted: Map<string, number>[] = [];

  addExported(rollout: SerializedRollout): void {
    const {
      branches,
      temperatures,
      omitted,
      unreadableToolEvents,
      missingTools,
      secrets = [],
    } = rollout;
    this.rollouts += 1;
    this.branches += branches;
    this.temperatures = joinRanges(this.temperatures, temperatures);
    this.branchesPerRollout = joinRanges(this.branchesPerRollout, [branches, branches]);
    this.unreadableToolEvents += unreadableToolEvents;
    this.missingTools += missingTools;
    this.secrets.add(secrets);
    for (const [output, reason] of omitted.entries()) {
      if (reason !== undefined) this.#count(output, reason);
    }
  }

  addFaulty({ branches }: SerializedRollout): void {
    this.faulty.rollouts += 1;
    this.faulty.branches += branches;
  }

  addContaminated({ branches }: SerializedRollout): void {
    this.contaminated.rollouts += 1;
    this.contaminated.branches += branches;
  }

  /** Number of rollouts without a record in an output, by reason, in the fixed order of reasons. */
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
