import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLLIDING_IDS } from "../../base/testing/colliding-ids.js";
import { createBranch } from "../wire/export/testing/create-branch.js";
import { buildBlock } from "./build-block.js";
import { BlockBoundaryJoiner } from "./joiner.js";
import type { SerializedRollouts } from "./serializer.js";
import { blockOf, toLines } from "./testing/block-of.js";
import { builderOf, exportPlan } from "./testing/export-plan.js";

describe("BlockBoundaryJoiner", () => {
  /** Ids of rollouts in order, with the number of branches of each. */
  type Runs = readonly (readonly [id: string, branches: number])[];

  interface Joined {
    readonly runs: Runs;
    readonly isScattered: boolean;
  }

  /** Joins blocks that contain one branch for each of their letters. */
  function join(...blocks: readonly (readonly string[])[]): Joined {
    const joiner = new BlockBoundaryJoiner(exportPlan, builderOf(exportPlan));
    const serialized: SerializedRollouts[] = [];
    let next = 0;
    for (const [index, ids] of blocks.entries()) {
      const branches = ids.map((rollout_id) => {
        next += 1;
        return createBranch({ rollout_id, branch_index: next, rank: next });
      });
      const block = blockOf(toLines(branches), { line: next, offset: 1000 * index });
      const build = !joiner.isScattered;
      const job = { plan: exportPlan, file: "a", input: 0, block, limits: exportPlan, build };
      serialized.push(...joiner.join(buildBlock(job, builderOf(exportPlan))));
    }
    serialized.push(...joiner.end());
    const runs = serialized.flatMap(({ rollouts }) =>
      rollouts.map(({ id, branches }): [string, number] => [id, branches]),
    );
    return { runs, isScattered: joiner.isScattered };
  }

  describe("rollouts across block boundaries", () => {
    test.each<[string, string[], Runs]>([
      [
        "end at the boundary",
        ["aa", "bb"],
        [
          ["a", 2],
          ["b", 2],
        ],
      ],
      [
        "cross it",
        ["aab", "bcc"],
        [
          ["a", 2],
          ["b", 2],
          ["c", 2],
        ],
      ],
      [
        "cross several",
        ["ab", "b", "b", "bc"],
        [
          ["a", 1],
          ["b", 4],
          ["c", 1],
        ],
      ],
      ["are all there is", ["a", "a", "a"], [["a", 3]]],
      [
        "fill one block each",
        ["a", "b", "c"],
        [
          ["a", 1],
          ["b", 1],
          ["c", 1],
        ],
      ],
      [
        "continue after blocks without branches",
        ["", "a", "", "", "ab", ""],
        [
          ["a", 2],
          ["b", 1],
        ],
      ],
      ["are none", ["", ""], []],
    ])("that %s", (_, blocks, runs) => {
      expect(join(...blocks.map((ids) => [...ids]))).toEqual({ runs, isScattered: false });
    });
  });

  describe("a rollout that reappears is detected", () => {
    test.each([["aba"], ["ab", "a"], ["a", "b", "a"], ["ab", "", "cd", "da"]])(
      "in %s",
      (...blocks: string[]) => {
        expect(join(...blocks.map((ids) => [...ids])).isScattered).toBe(true);
      },
    );

    test("and nothing is yielded from then on", () => {
      const { runs } = join(["a", "b"], ["a"], ["c"], ["d"]);
      expect(runs).toEqual([["a", 1]]);
    });
  });

  test("for any order and blocks, rollouts are complete or the order is reported as scattered", () => {
    const [x, y] = COLLIDING_IDS;
    const ids = fc.array(fc.constantFrom("a", "b", "c", x, y), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 6 }), (blocks) => {
        const { runs, isScattered } = join(...blocks);
        if (isScattered) return;
        const counts = new Map<string, number>();
        for (const id of blocks.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
        expect(runs.map(([id]) => id)).toEqual([...new Set(blocks.flat())]);
        expect(new Map(runs)).toEqual(counts);
      }),
    );
  });

  test("two ids with the same hash that alternate over blocks", () => {
    const [x, y] = COLLIDING_IDS;
    expect(join(["a", x, y], [x, y], [y, "b"])).toEqual({
      runs: [
        ["a", 1],
        [x, 2],
        [y, 3],
        ["b", 1],
      ],
      isScattered: false,
    });
  });
});
