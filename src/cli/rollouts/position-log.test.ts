import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestFolder } from "../testing/run-in-folder.js";
import { type LinePosition, toRows } from "./line-position.js";
import { PositionLog } from "./position-log.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const position = (line: number): LinePosition => {
  return {
    hash: 2 ** 53 - line,
    input: 1,
    offset: 2 ** 40,
    length: 3,
    line,
    checksum: 2 ** 32 - 1,
  };
};

test("positions in the order in which they were appended, read as often as one likes", () => {
  const log = new PositionLog(join(folder.path, "few"));
  expect([log.size, [...log.read()]]).toEqual([0, []]);
  log.append(toRows([position(1), position(2)]));
  log.append(toRows([]));
  log.append(toRows([position(3)]).subarray(0));
  expect(log.size).toBe(3);
  expect([...log.read()]).toEqual([1, 2, 3].map(position));
  expect([...log.read()]).toHaveLength(3);
  log.close();
});

test("rows that are a part of a larger array", () => {
  const log = new PositionLog(join(folder.path, "part"));
  const rows = toRows([position(1), position(2), position(3)]);
  log.append(rows.subarray(rows.length / 3, (2 * rows.length) / 3));
  expect([...log.read()]).toEqual([position(2)]);
  log.close();
});

test("more than are read at a time", () => {
  const log = new PositionLog(join(folder.path, "many"));
  const count = 40_000;
  log.append(toRows(Array.from({ length: count }, (_, line) => position(line))));
  let line = 0;
  for (const read of log.read()) {
    if (read.line !== line) throw new Error(`line ${read.line} in place of ${line}`);
    line += 1;
  }
  expect(line).toBe(count);
  log.close();
});
