import type { RolloutBranch } from "#generated/index.js";
import { buildPasses } from "./build-passes.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { readScores } from "./read-scores.js";
import type { ScoreFault } from "./score-fault.js";

/** A branch that cannot be scored, so that its rollout cannot be ranked. */
export interface UnrankableBranch extends ScoreFault {
  readonly branchIndex: number;
}

/**
 * The branches for which `rankScored` and `rankBranches` would throw UserError, in the order in which
 * they came, each with its first fault. Empty when the rollout can be ranked.
 */
export function findUnrankable(
  branches: Iterable<RolloutBranch>,
  verifier: ObjectiveVerifier = buildPasses,
): UnrankableBranch[] {
  return [...branches].flatMap((branch) => {
    const { fault } = readScores(branch, verifier);
    return fault === undefined ? [] : [{ branchIndex: branch.branch_index, ...fault }];
  });
}
