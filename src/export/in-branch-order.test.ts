import { expect, test } from "vitest";
import { inBranchOrder } from "./in-branch-order.js";
import { createBranch } from "./testing/create-branch.js";

test("sorts a copy by branch_index, as a number", () => {
  const branches = [10, 2, 0].map((branch_index) => createBranch({ branch_index }));
  expect(inBranchOrder(branches).map((branch) => branch.branch_index)).toEqual([0, 2, 10]);
  expect(branches[0]?.branch_index).toBe(10);
});

test("refuses what is not one rollout", () => {
  expect(() => inBranchOrder([])).toThrow(TypeError);
});
