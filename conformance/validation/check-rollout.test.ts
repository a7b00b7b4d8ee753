import { expect, test } from "vitest";
import { createBranch } from "../../src/export/testing/create-branch.js";
import { checkRollout } from "./check-rollout.js";

test("a rollout whose branches agree", () => {
  expect(checkRollout([createBranch(), createBranch({ branch_index: 1, rank: 2 })])).toEqual([]);
});

test("every rule, each with the branch that breaks it", () => {
  const branches = [
    createBranch(),
    createBranch({ task: "another", rank: 2 }),
    createBranch({ rank: 3 }),
  ];
  const faults = checkRollout(branches).map(({ id, severity, branch, pointer }) => {
    return { id, severity, branch, pointer };
  });
  const severity = "error";
  expect(faults).toHaveLength(3);
  expect(faults).toEqual(
    expect.arrayContaining([
      { id: "one-task-per-rollout", severity, branch: 1, pointer: "/task" },
      { id: "branch-index-unique", severity, branch: 1, pointer: "/branch_index" },
      { id: "branch-index-unique", severity, branch: 2, pointer: "/branch_index" },
    ]),
  );
});
