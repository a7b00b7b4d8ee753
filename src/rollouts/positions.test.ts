import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../cli/testing/run-in-folder.js";
import {
  type LinePosition,
  POSITION_WIDTH,
  PositionLog,
  positionAt,
  type RowCodec,
  RowLog,
  toRows,
} from "./positions.js";

describe("LinePosition", () => {
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
});

describe("PositionLog", () => {
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
});

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
});
