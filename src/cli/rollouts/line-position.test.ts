import { expect, test } from "vitest";
import { POSITION_WIDTH, positionAt, toRows } from "./line-position.js";

test("positions are the same as rows, up to the largest numbers that they may have", () => {
  const small = { hash: 0, input: 0, offset: 0, length: 2, line: 1, checksum: 0 };
  const large = {
    hash: 2 ** 53 - 1,
    input: 1,
    offset: 2 ** 53 - 1,
    length: 2 ** 31,
    line: 2 ** 40,
    checksum: 2 ** 32 - 1,
  };
  const rows = toRows([small, large]);
  expect(rows.length).toBe(2 * POSITION_WIDTH);
  expect([positionAt(rows, 0), positionAt(rows, POSITION_WIDTH)]).toEqual([small, large]);
  expect(toRows([]).length).toBe(0);
});
