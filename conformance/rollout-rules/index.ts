import { branchIndexUnique } from "./branch-index-unique.js";
import { oneTaskPerRollout } from "./one-task-per-rollout.js";
import type { RolloutRule } from "./rollout-rule.js";

/** Every rule for whole rollouts, in the order in which their findings are reported. */
export const rolloutRules: readonly RolloutRule[] = [oneTaskPerRollout, branchIndexUnique];
