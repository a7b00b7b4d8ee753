import { expect, test } from "vitest";
import { adjacentGroups } from "./adjacent-groups.js";
import { toPositions, toRows } from "./line-position.js";

const positions = [3, 3, 5, 3].map((hash, line) => {
  return { hash, input: 0, offset: 10 * line, length: 9, line: line + 1, checksum: 0 };
});

test("a hash that comes back begins a group of its own", () => {
  const groups = [...adjacentGroups(positions)];
  expect(groups.map((group) => group.map(({ line }) => line))).toEqual([[1, 2], [3], [4]]);
  expect([...adjacentGroups([])]).toEqual([]);
});

test("rows of numbers are the positions that they were made of", () => {
  expect([...toPositions(toRows(positions))]).toEqual(positions);
});
