import { expect, test } from "vitest";
import { createBranch } from "../../export/testing/create-branch.js";
import { groupById } from "./group-by-id.js";
import { branchLines } from "./testing/branch-lines.js";

test("ids by their first appearance, the lines of each in their order", () => {
  const ids = ["b", "a", "b", "c", "a"];
  const branches = ids.map((rollout_id, branch_index) =>
    createBranch({ rollout_id, branch_index }),
  );
  const groups = groupById(branchLines(branches));
  expect(groups.map((group) => group.map(({ branch }) => branch.branch_index))).toEqual([
    [0, 2],
    [1, 4],
    [3],
  ]);
});

test("one id, and none", () => {
  const lines = branchLines([createBranch(), createBranch({ branch_index: 1 })]);
  expect(groupById(lines)).toEqual([lines]);
  expect(groupById([])).toEqual([]);
});
