import type { RolloutBranch } from "#generated/index.js";
import { previewValue } from "../text.js";
import { EXIT, UserError } from "../user-error.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { readScores, type ScoredBranch } from "./read-scores.js";
import { requireOneRollout } from "./require-one-rollout.js";

/**
 * Scores the branches of one rollout, by branch_index.
 *
 * Throws TypeError when the branches are none, of several rollouts, or two share a branch_index;
 * UserError, which names the first branch that has no score and says why, when there is one.
 */
export function scoreBranches(
  branches: readonly RolloutBranch[],
  verifier: ObjectiveVerifier,
): ScoredBranch[] {
  requireOneRollout(branches);
  const ordered = branches.toSorted((a, b) => a.branch_index - b.branch_index);
  requireDistinctIndices(ordered);
  return ordered.map((branch) => requireScores(branch, verifier));
}

/** Throws TypeError when two neighbours share a branch_index. */
function requireDistinctIndices(ordered: readonly RolloutBranch[]): void {
  const twin = ordered.find(
    ({ branch_index }, at) => branch_index === ordered[at + 1]?.branch_index,
  );
  if (twin === undefined) return;
  throw new TypeError(
    `rollout ${previewValue(twin.rollout_id)} has two branches with branch_index ${twin.branch_index}`,
  );
}

function requireScores(branch: RolloutBranch, verifier: ObjectiveVerifier): ScoredBranch {
  const { scored, fault } = readScores(branch, verifier);
  if (scored !== undefined) return scored;
  const place = `rollout ${previewValue(branch.rollout_id)}, branch ${branch.branch_index}:`;
  const words = [place, fault.pointer, fault.message].filter((word) => word !== "");
  throw new UserError(words.join(" "), EXIT.findings);
}
