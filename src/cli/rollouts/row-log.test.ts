import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestFolder } from "../testing/run-in-folder.js";
import { type RowCodec, RowLog } from "./row-log.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

interface Point {
  readonly x: number;
  readonly y: number;
}

const POINTS: RowCodec<Point> = {
  width: 2,
  toNumbers: ({ x, y }) => [x, y],
  fromNumbers: (numbers, at) => ({ x: numbers[at] ?? -1, y: numbers[at + 1] ?? -1 }),
};

function openLog(name: string): RowLog<Point> {
  return new RowLog(join(folder.path, name), POINTS);
}

test("rows one by one and as numbers, in the order in which they came", () => {
  const log = openLog("mixed");
  log.add({ x: 1, y: 2 });
  log.append(Float64Array.of(3, 4, 5, 6));
  log.add({ x: 7, y: 8 });
  expect(log.size).toBe(4);
  expect([...log.read()].map(({ x, y }) => [x, y])).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ]);
  log.close();
});

test("rows are counted before they are written, and after", () => {
  const log = openLog("count");
  const count = 1500;
  for (let index = 0; index < count; index += 1) log.add({ x: index, y: -index });
  expect(log.size).toBe(count);
  const rows = [...log.read()];
  expect([rows.length, log.size]).toEqual([count, count]);
  expect(rows.every(({ x, y }, index) => x === index && y === -index)).toBe(true);
  log.close();
});

test("what is cleared is forgotten, gathered or written, and the log goes on from nothing", () => {
  const log = openLog("cleared");
  log.append(Float64Array.of(1, 1));
  log.add({ x: 2, y: 2 });
  log.clear();
  expect([log.size, [...log.read()]]).toEqual([0, []]);
  log.add({ x: 3, y: 3 });
  expect([...log.read()]).toEqual([{ x: 3, y: 3 }]);
  log.close();
});

test("a file that is there already is not written over", () => {
  const log = openLog("there");
  expect(() => openLog("there")).toThrow();
  log.close();
});
