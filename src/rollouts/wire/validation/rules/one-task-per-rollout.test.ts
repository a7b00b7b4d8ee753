import { expect, test } from "vitest";
import { oneTaskPerRollout } from "./one-task-per-rollout.js";
import { createFacts } from "./testing/create-facts.js";

test("every branch whose task differs from the first is reported", () => {
  const branches = ["add", "add", "sort"].map((task) => createFacts({ task }));
  expect(oneTaskPerRollout.check(branches)).toEqual([
    {
      branch: 2,
      pointer: "/task",
      message: 'a different task from the rollout\'s first branch: is "sort", not "add"',
    },
  ]);
});

test("equal tasks pass", () => {
  expect(oneTaskPerRollout.check([createFacts(), createFacts()])).toEqual([]);
});

test("hashes are not shown", () => {
  const branches = [1, 1, 2].map((task) => createFacts({ task }));
  expect(oneTaskPerRollout.check(branches)).toEqual([
    { branch: 2, pointer: "/task", message: "a different task from the rollout's first branch" },
  ]);
});
