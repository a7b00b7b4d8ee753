import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeRows, encodeRows, RowLog } from "../../base/files/row-log.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { adjacentGroups, groupById, groupPositions, splitCollisions } from "./groups.js";
import { type LinePosition, positionCodec } from "./positions.js";
import { branchLines } from "./testing/branch-lines.js";

describe("groupPositions", () => {
  let folder: TestFolder;
  let log: RowLog<LinePosition>;
  beforeEach(() => {
    folder = createTestFolder();
    log = new RowLog(join(folder.path, "log"), positionCodec);
  });
  afterEach(() => {
    log.close();
    folder.remove();
  });

  /** Positions with these hashes over two inputs, in order. */
  function positionsOf(hashes: readonly number[]): LinePosition[] {
    const firstOfSecond = Math.floor(hashes.length / 2);
    return hashes.map((hash, index) => {
      const input = index < firstOfSecond ? 0 : 1;
      const offset = 10 * (input === 0 ? index : index - firstOfSecond);
      return { hash, input, offset, length: 9, line: index + 1, checksum: index };
    });
  }

  function group(positions: readonly LinePosition[], maxInMemory?: number): LinePosition[][] {
    log.append(encodeRows(positions, positionCodec));
    return [...groupPositions(log, folder.path, maxInMemory)].map((each) => [...each]);
  }

  /** The same with its own log and folder. */
  function groupAnew(positions: readonly LinePosition[], maxInMemory: number) {
    const own = createTestFolder();
    const ownLog = new RowLog(join(own.path, "log"), positionCodec);
    try {
      ownLog.append(encodeRows(positions, positionCodec));
      return [...groupPositions(ownLog, own.path, maxInMemory)];
    } finally {
      ownLog.close();
      own.remove();
    }
  }

  test("groups by first appearance, each in log order", () => {
    const positions = positionsOf([7, 3, 7, 9, 3]);
    const groups = group(positions);
    expect(groups.map((each) => each.map(({ line }) => line))).toEqual([[1, 3], [2, 5], [4]]);
    expect(groups.flat().toSorted((a, b) => a.line - b.line)).toEqual(positions);
  });

  test("an empty log", () => {
    expect(group([])).toEqual([]);
  });

  test("the groups do not depend on the memory limit", () => {
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

  test("a log can be grouped twice, also after stopping early", () => {
    log.append(encodeRows(positionsOf([1, 2, 1, 3, 2]), positionCodec));
    for (const _group of groupPositions(log, folder.path, 2)) break;
    const twice = [0, 1].map(() => [...groupPositions(log, folder.path, 2)]);
    expect(twice[0]).toHaveLength(3);
    expect(twice[1]).toEqual(twice[0]);
    expect(readdirSync(folder.path)).toEqual(["log"]);
  });

  test.runIf(process.platform === "linux")("stopping early closes all shares", () => {
    log.append(encodeRows(positionsOf([1, 2, 3, 4, 5, 6]), positionCodec));
    const before = readdirSync("/proc/self/fd").length;
    for (const _group of groupPositions(log, folder.path, 2)) break;
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});

describe("adjacentGroups", () => {
  const positions = [3, 3, 5, 3].map((hash, line) => {
    return { hash, input: 0, offset: 10 * line, length: 9, line: line + 1, checksum: 0 };
  });

  test("a hash that reappears begins a new group", () => {
    const groups = [...adjacentGroups(positions)];
    expect(groups.map((group) => group.map(({ line }) => line))).toEqual([[1, 2], [3], [4]]);
    expect([...adjacentGroups([])]).toEqual([]);
  });

  test("encoded rows decode to their positions", () => {
    expect([...decodeRows(encodeRows(positions, positionCodec), positionCodec)]).toEqual(positions);
  });
});

describe("splitCollisions", () => {
  test("separates the rows of two ids with the same hash, and keeps their order", () => {
    const [a, b] = [{ otherHash: 1 }, { otherHash: 2 }];
    expect([...splitCollisions([a, b, a])]).toEqual([[a, a], [b]]);
    expect([...splitCollisions([a, a])]).toEqual([[a, a]]);
  });
});

describe("groupById", () => {
  test("ids by first appearance, each with its lines in order", () => {
    const ids = ["b", "a", "b", "c", "a"];
    const branches = ids.map((rollout_id, branch_index) =>
      createBranch({ rollout_id, branch_index }),
    );
    const groups = groupById(branchLines(branches));
    expect(groups.map((group) => group.map(({ branch }) => branch.branch_index))).toEqual([
      [0, 2],
      [1, 4],
      [3],
    ]);
  });

  test("one id, and no lines", () => {
    const lines = branchLines([createBranch(), createBranch({ branch_index: 1 })]);
    expect(groupById(lines)).toEqual([lines]);
    expect(groupById([])).toEqual([]);
  });
});
