import { expect, test } from "vitest";
import { oneTaskPerRollout } from "./one-task-per-rollout.js";
import { createFacts } from "./testing/create-facts.js";

test("every branch with another task than the first is named", () => {
  const branches = ["add", "add", "sort"].map((task) => createFacts({ task }));
  expect(oneTaskPerRollout.check(branches)).toEqual([
    {
      branch: 2,
      pointer: "/task",
      message: 'another task than the rollout\'s first branch has: is "sort", not "add"',
    },
  ]);
});

test("the same task everywhere is as it should be", () => {
  expect(oneTaskPerRollout.check([createFacts(), createFacts()])).toEqual([]);
});

test("of hashes nothing is shown", () => {
  const branches = [1, 1, 2].map((task) => createFacts({ task }));
  expect(oneTaskPerRollout.check(branches)).toEqual([
    { branch: 2, pointer: "/task", message: "another task than the rollout's first branch has" },
  ]);
});
