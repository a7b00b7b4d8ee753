import { expect, test } from "vitest";
import type { SourceLine } from "../../../base/jsonl/blocks.js";
import { COLLIDING_IDS } from "../../../base/testing/colliding-ids.js";
import { createBranch } from "../export/testing/create-branch.js";
import { type BranchRow, BranchRows, branchCodec } from "./branch-rows.js";

const source: SourceLine = {
  line: 7,
  offset: 2 ** 40,
  stored: Buffer.from("{}\r"),
  bytes: Buffer.from("{}"),
};

function readAll(rows: BranchRows): BranchRow[] {
  const numbers = rows.toNumbers();
  return Array.from({ length: numbers.length / branchCodec.width }, (_, index) =>
    branchCodec.fromNumbers(numbers, index * branchCodec.width),
  );
}

test("a row has the declared width and survives a round trip", () => {
  const row: BranchRow = {
    ...{ hash: 2 ** 53 - 1, otherHash: 1, input: 2, offset: 2 ** 50, length: 4, line: 5 },
    ...{ branchIndex: 6, task: 7, rank: undefined, totalScore: 0.3 },
  };
  const numbers = branchCodec.toNumbers(row);
  expect(numbers).toHaveLength(branchCodec.width);
  expect(branchCodec.fromNumbers(Float64Array.from([0, ...numbers]), 1)).toEqual(row);
});

test("a ranked branch, with the position of its line", () => {
  const rows = new BranchRows(3);
  const branch = createBranch({ branch_index: 2, rank: 1, total_score: 1.15 });
  rows.add({ ...branch }, "RolloutBranchRecord", source);
  expect(readAll(rows)).toMatchObject([
    { input: 3, offset: 2 ** 40, length: 3, line: 7, branchIndex: 2, rank: 1, totalScore: 1.15 },
  ]);
});

test("an unranked branch has no rank, even if it has a field of that name", () => {
  const rows = new BranchRows(0);
  rows.add({ ...createBranch({ rank: 1 }) }, "RolloutBranch", source);
  expect(readAll(rows)).toMatchObject([{ rank: undefined, totalScore: undefined }]);
});

test("a record of another type has no row", () => {
  const rows = new BranchRows(0);
  rows.add({ ...createBranch() }, "PpoRecord", source);
  expect(rows.toNumbers()).toHaveLength(0);
});

test("equal ids and tasks have equal hashes; ids that collide differ in the second hash", () => {
  const rows = new BranchRows(0);
  const [a, b] = COLLIDING_IDS;
  for (const [rollout_id, task] of [
    [a, "x"],
    [b, "x"],
    [a, "y"],
  ]) {
    rows.add({ ...createBranch({ rollout_id, task }) }, "RolloutBranchRecord", source);
  }
  const [first, second, third] = readAll(rows);
  expect(first?.hash).toBe(second?.hash);
  expect(first?.otherHash).not.toBe(second?.otherHash);
  expect([third?.hash, third?.otherHash]).toEqual([first?.hash, first?.otherHash]);
  expect(second?.task).toBe(first?.task);
  expect(third?.task).not.toBe(first?.task);
});
