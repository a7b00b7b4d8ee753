import { expect, test } from "vitest";
import { type ImportRow, importRows } from "./import-row.js";

test("a row comes back from its numbers", () => {
  const row: ImportRow = {
    hash: 1,
    input: 2,
    offset: 3,
    length: 4,
    line: 5,
    checksum: 6,
    otherHash: 7,
    branchIndex: 8,
    task: 9,
    ordinal: 10,
    isDocument: true,
    rank: undefined,
    totalScore: undefined,
  };
  const numbers = importRows.toNumbers(row);
  expect(numbers).toHaveLength(importRows.width);
  const log = Float64Array.from([
    ...numbers,
    ...importRows.toNumbers({ ...row, isDocument: false }),
  ]);
  expect(importRows.fromNumbers(log, 0)).toEqual(row);
  expect(importRows.fromNumbers(log, importRows.width)).toEqual({ ...row, isDocument: false });
});
