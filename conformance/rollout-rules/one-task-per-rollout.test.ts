import { expect, test } from "vitest";
import { createBranch } from "../../src/export/testing/create-branch.js";
import { oneTaskPerRollout } from "./one-task-per-rollout.js";

test("every branch with another task than the first is named", () => {
  const branches = ["add", "add", "sort"].map((task) => createBranch({ task }));
  expect(oneTaskPerRollout.check(branches)).toEqual([
    {
      branch: 2,
      pointer: "/task",
      message: 'another task than the rollout\'s first branch has: is "sort", not "add"',
    },
  ]);
});

test("the same task everywhere is as it should be", () => {
  expect(oneTaskPerRollout.check([createBranch(), createBranch()])).toEqual([]);
});
