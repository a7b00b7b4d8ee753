import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../testing/run-in-folder.js";
import { groupPositions } from "./group-positions.js";
import { type LinePosition, toRows } from "./line-position.js";
import { PositionLog } from "./position-log.js";

let folder: TestFolder;
let log: PositionLog;
beforeEach(() => {
  folder = createTestFolder();
  log = new PositionLog(join(folder.path, "log"));
});
afterEach(() => {
  log.close();
  folder.remove();
});

/** Positions over two inputs, in their order, with these hashes. */
function positionsOf(hashes: readonly number[]): LinePosition[] {
  const firstOfSecond = Math.floor(hashes.length / 2);
  return hashes.map((hash, index) => {
    const input = index < firstOfSecond ? 0 : 1;
    const offset = 10 * (input === 0 ? index : index - firstOfSecond);
    return { hash, input, offset, length: 9, line: index + 1, checksum: index };
  });
}

function group(positions: readonly LinePosition[], maxInMemory?: number): LinePosition[][] {
  log.append(toRows(positions));
  return [...groupPositions(log, folder.path, maxInMemory)].map((each) => [...each]);
}

/** The same with a log and a folder of its own. */
function groupAnew(positions: readonly LinePosition[], maxInMemory: number) {
  const own = createTestFolder();
  const ownLog = new PositionLog(join(own.path, "log"));
  try {
    ownLog.append(toRows(positions));
    return [...groupPositions(ownLog, own.path, maxInMemory)];
  } finally {
    ownLog.close();
    own.remove();
  }
}

test("groups by first appearance, each in the order of the log", () => {
  const positions = positionsOf([7, 3, 7, 9, 3]);
  const groups = group(positions);
  expect(groups.map((each) => each.map(({ line }) => line))).toEqual([[1, 3], [2, 5], [4]]);
  expect(groups.flat().toSorted((a, b) => a.line - b.line)).toEqual(positions);
});

test("nothing", () => {
  expect(group([])).toEqual([]);
});

test("however few positions are held in memory, the groups are the same", () => {
  const hashes = fc.array(fc.oneof(fc.nat(12), fc.nat(2 ** 53 - 1)), { maxLength: 60 });
  fc.assert(
    fc.property(hashes, fc.integer({ min: 1, max: 20 }), (all, maxInMemory) => {
      const positions = positionsOf(all);
      const expected = new Map<number, LinePosition[]>();
      for (const position of positions) {
        expected.set(position.hash, [...(expected.get(position.hash) ?? []), position]);
      }
      expect(groupAnew(positions, maxInMemory)).toEqual([...expected.values()]);
    }),
    { numRuns: 50 },
  );
});

test.runIf(process.platform === "linux")("who stops early leaves no share open", () => {
  log.append(toRows(positionsOf([1, 2, 3, 4, 5, 6])));
  const before = readdirSync("/proc/self/fd").length;
  for (const _group of groupPositions(log, folder.path, 2)) break;
  expect(readdirSync("/proc/self/fd").length).toBe(before);
});
