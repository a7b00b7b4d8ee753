import { expect, test } from "vitest";
import { createFacts } from "./testing/create-facts.js";
import { zeroBasedRanks } from "./zero-based-ranks.js";

const check = (...ranks: readonly (number | undefined)[]) =>
  zeroBasedRanks.check(ranks.map((rank) => createFacts({ rank })));

test.each([[[0]], [[0, 1]], [[2, 0, 1]], [[3, 1, 2, 0]]])("ranks %j", (ranks) => {
  const message = "the ranks of this rollout count from 0: add 1 to each, or rank it again";
  expect(check(...ranks)).toEqual([{ branch: ranks.indexOf(0), pointer: "/rank", message }]);
});

test.each([
  [[]],
  [[1]],
  [[1, 2, 3]],
  [[2, 3, 4]],
  // Other faults than a wrong start.
  [[0, 0]],
  [[0, 1, 1]],
  [[0, 2]],
  [[0, 1, 3]],
  [[0, undefined]],
  [[undefined, undefined]],
])("not ranks %j", (ranks) => {
  expect(check(...ranks)).toEqual([]);
});
