import { previewValue } from "../../src/records/preview-value.js";
import type { RolloutRule } from "./rollout-rule.js";

/** Answers to different tasks cannot be compared, so a pair of them would teach nonsense. */
export const oneTaskPerRollout: RolloutRule = {
  id: "one-task-per-rollout",
  purpose: "all branches of a rollout have the same task",
  severity: "error",
  check(branches) {
    const task = branches[0]?.task;
    return branches.flatMap((other, branch) => {
      if (other.task === task) return [];
      const message = `another task than the rollout's first branch has: is ${previewValue(other.task)}, not ${previewValue(task)}`;
      return [{ branch, pointer: "/task", message }];
    });
  },
};
