import { expect, test } from "vitest";
import { groupByRollout } from "./group-by-rollout.js";

test("rollouts in order of first appearance, records in order", () => {
  const records = ["b", "a", "b", "2", "1"].map((rollout_id, at) => ({ rollout_id, at }));
  const groups = [...groupByRollout(records)].map(([id, group]) => [id, group.map(({ at }) => at)]);
  expect(groups).toEqual([
    ["b", [0, 2]],
    ["a", [1]],
    ["2", [3]],
    ["1", [4]],
  ]);
});
