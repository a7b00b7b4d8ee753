import type { RolloutBranch } from "#generated/index.js";
import type { RecordFault } from "./check-record.js";
import { rolloutRules } from "./rollout-rules/index.js";

/** A finding about one branch of a rollout. */
export interface BranchFault extends RecordFault {
  /** Index of the branch among those that were given. */
  readonly branch: number;
}

/** What the rules for whole rollouts find in the branches of one, each of them valid by itself. */
export function checkRollout(branches: readonly RolloutBranch[]): BranchFault[] {
  return rolloutRules.flatMap(({ id, severity, check }) =>
    check(branches).map((fault) => ({ ...fault, id, severity })),
  );
}
