import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import { rulesByScope } from "../rules/index.js";
import type { BranchFacts } from "../rules/rule.js";
import type { RecordFault } from "./check-record.js";
import { profiles, type RuleSeverities } from "./profiles.js";

/** A finding about one branch of a rollout. */
export interface BranchFault extends RecordFault {
  /** Index of the branch among those that were given. */
  readonly branch: number;
}

/**
 * What the rules over rollouts find in all branches of one, each of them valid by itself. Branches that
 * are not yet ranked (`RolloutBranch`) have no ranks to judge, whatever their open fields hold.
 */
export function checkRollout(
  branches: readonly RolloutBranch[],
  type: EntryTypeName = "RolloutBranchRecord",
  severities?: RuleSeverities,
): BranchFault[] {
  return checkBranches(
    branches.map((branch) => toBranchFacts(branch, type)),
    severities,
  );
}

/** What rules over rollouts know of a branch that is structurally valid for `type`. */
export function toBranchFacts(branch: RolloutBranch, type: EntryTypeName): BranchFacts {
  const { branch_index: branchIndex, task, rank, total_score: totalScore } = branch;
  const isRanked =
    type === "RolloutBranchRecord" && typeof rank === "number" && typeof totalScore === "number";
  return isRanked
    ? { branchIndex, task, rank, totalScore }
    : { branchIndex, task, rank: undefined, totalScore: undefined };
}

/** The same of branches of which only the facts are at hand. */
export function checkBranches(
  branches: readonly BranchFacts[],
  severities: RuleSeverities = profiles.strict,
): BranchFault[] {
  const found: BranchFault[] = [];
  for (const { id, check } of rulesByScope.rollout) {
    const severity = severities[id];
    if (severity === "off") continue;
    for (const fault of check(branches)) found.push({ ...fault, id, severity });
  }
  return found;
}
