import { previewValue } from "../../../../base/text.js";
import type { RolloutRule } from "./rule.js";

/** Answers to different tasks are not comparable, so a pair of them would teach nonsense. */
export const oneTaskPerRollout = {
  id: "one-task-per-rollout",
  purpose: "all branches of a rollout have the same task",
  scope: "rollout",
  check(branches) {
    const [first] = branches;
    return branches.flatMap((other, branch) => {
      if (first === undefined || other.task === first.task) return [];
      const message = `a different task from the rollout's first branch${describe(other.task, first.task)}`;
      return [{ branch, pointer: "/task", message }];
    });
  },
} as const satisfies RolloutRule;

/** Hashes are not shown in the message, because they mean nothing to the user. */
function describe(task: string | number, first: string | number): string {
  if (typeof task === "number" || typeof first === "number") return "";
  return `: is ${previewValue(task)}, not ${previewValue(first)}`;
}
