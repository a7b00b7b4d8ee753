import { expect, test } from "vitest";
import { branchIndexUnique } from "./branch-index-unique.js";
import { createFacts } from "./testing/create-facts.js";

test("every branch that repeats an index is reported", () => {
  const branches = [0, 1, 0, 0].map((branchIndex) => createFacts({ branchIndex }));
  const faults = branchIndexUnique.check(branches);
  expect(faults.map(({ branch, pointer }) => [branch, pointer])).toEqual([
    [2, "/branch_index"],
    [3, "/branch_index"],
  ]);
  expect(faults[0]?.message).toBe("a second branch with branch_index 0 in this rollout");
});

test("indices may have gaps", () => {
  const branches = [4, 0, 7].map((branchIndex) => createFacts({ branchIndex }));
  expect(branchIndexUnique.check(branches)).toEqual([]);
});
