import { expect, test } from "vitest";
import { type BranchRow, branchRows } from "../../validation/branch-rows.js";
import { profiles } from "../../validation/profiles.js";
import { RolloutsInARow } from "./rollouts-in-a-row.js";

function row(hash: number, rank: number, more: Partial<BranchRow> = {}): BranchRow {
  const place = { input: 0, offset: 0, length: 1, line: 1 };
  const facts = { branchIndex: rank, task: 1, rank, totalScore: 1 / rank };
  return { ...place, ...facts, hash, otherHash: hash, ...more };
}

/** Each list is what a block brings. */
function judge(blocks: readonly (readonly BranchRow[])[], maxSeen?: number): number | undefined {
  const rollouts = new RolloutsInARow(profiles.strict, maxSeen);
  for (const rows of blocks) rollouts.add(Float64Array.from(rows.flatMap(branchRows.toNumbers)));
  return rollouts.end();
}

test("rollouts in a row are counted, wherever a block ends", () => {
  expect(judge([])).toBe(0);
  expect(judge([[row(1, 1), row(1, 2), row(2, 1)], [row(2, 2)], [], [row(3, 1)]])).toBe(3);
});

test("what is wrong with a rollout is looked at again, the last one included", () => {
  expect(judge([[row(1, 1), row(1, 1), row(2, 1)]])).toBeUndefined();
  expect(judge([[row(1, 1), row(2, 1)], [row(2, 1)]])).toBeUndefined();
});

test("a rollout that comes back is looked at again, and so is one hash of two rollouts", () => {
  expect(judge([[row(1, 1), row(2, 1)], [row(1, 2)]])).toBeUndefined();
  expect(judge([[row(1, 1), row(1, 2, { otherHash: 2 })]])).toBeUndefined();
});

test("with more rollouts than can be remembered, all are looked at again", () => {
  expect(judge([[row(1, 1), row(2, 1)]], 2)).toBe(2);
  expect(judge([[row(1, 1), row(2, 1), row(3, 1)]], 2)).toBeUndefined();
});
