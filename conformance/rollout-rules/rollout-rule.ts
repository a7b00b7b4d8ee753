import type { RolloutBranch } from "#generated/index.js";
import type { Severity } from "../finding.js";
import type { RuleFault } from "../rules/rule.js";

/** A place in one branch that breaks a rule, in the light of the others. */
export interface BranchRuleFault extends RuleFault {
  /** Index of the branch among those that were given. */
  readonly branch: number;
}

/** What must hold between the branches of one rollout. */
export interface RolloutRule {
  readonly id: string;
  /** What a rollout that follows the rule is like, in one sentence. */
  readonly purpose: string;
  readonly severity: Severity;
  /** Faults of the branches of one rollout, in the order of the input, each structurally valid. */
  check(branches: readonly RolloutBranch[]): readonly BranchRuleFault[];
}
