import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/run-in-folder.js";
import { encodeRows, type RowCodec, RowLog } from "./row-log.js";

describe("RowLog", () => {
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

  const point = (x: number): Point => ({ x, y: 2 ** 53 - x });

  test("rows in insertion order, read any number of times", () => {
    const log = openLog("few");
    expect([log.size, [...log.read()]]).toEqual([0, []]);
    log.append(encodeRows([point(1), point(2)], POINTS));
    log.append(encodeRows([], POINTS));
    log.append(encodeRows([point(3)], POINTS).subarray(0));
    expect(log.size).toBe(3);
    expect([...log.read()]).toEqual([1, 2, 3].map(point));
    expect([...log.read()]).toHaveLength(3);
    log.close();
  });

  test("rows in a subarray of a larger array", () => {
    const log = openLog("part");
    const rows = encodeRows([point(1), point(2), point(3)], POINTS);
    log.append(rows.subarray(rows.length / 3, (2 * rows.length) / 3));
    expect([...log.read()]).toEqual([point(2)]);
    log.close();
  });

  test("more rows than are read at once", () => {
    const log = openLog("many");
    const count = 40_000;
    log.append(
      encodeRows(
        Array.from({ length: count }, (_, x) => point(x)),
        POINTS,
      ),
    );
    let next = 0;
    for (const { x } of log.read()) {
      if (x !== next) throw new Error(`row ${x} in place of ${next}`);
      next += 1;
    }
    expect(next).toBe(count);
    log.close();
  });

  test("single and encoded rows keep their order", () => {
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

  test("the size counts buffered and written rows", () => {
    const log = openLog("count");
    const count = 1500;
    for (let index = 0; index < count; index += 1) log.add({ x: index, y: -index });
    expect(log.size).toBe(count);
    const rows = [...log.read()];
    expect([rows.length, log.size]).toEqual([count, count]);
    expect(rows.every(({ x, y }, index) => x === index && y === -index)).toBe(true);
    log.close();
  });

  test("clearing removes buffered and written rows, and the log can be used again", () => {
    const log = openLog("cleared");
    log.append(Float64Array.of(1, 1));
    log.add({ x: 2, y: 2 });
    log.clear();
    expect([log.size, [...log.read()]]).toEqual([0, []]);
    log.add({ x: 3, y: 3 });
    expect([...log.read()]).toEqual([{ x: 3, y: 3 }]);
    log.close();
  });

  test("an existing file is not overwritten", () => {
    const log = openLog("there");
    expect(() => openLog("there")).toThrow();
    log.close();
  });
});
