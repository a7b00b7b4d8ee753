import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { isRolloutBranchRecord, type Open, type RolloutBranch } from "#generated/index.js";
import { EXIT, UserError } from "../../../base/user-error.js";
import { buildPasses } from "./objective.js";
import {
  findUnrankable,
  rankBranches,
  rankScored,
  requireOneRollout,
  scoreBranches,
  toRanked,
} from "./rank.js";
import { DEFAULT_WEIGHTS, type ScoreWeights } from "./score.js";
import { capturedRollout } from "./testing/captured-rollout.js";
import { createCaptured } from "./testing/create-captured.js";

describe("rankBranches", () => {
  const rollout = [0, 1, 2].map((branch_index) =>
    createCaptured({ branch_index, objective_score: 1 }),
  );

  test("the judge decides between branches with the same verdict", async () => {
    const judge = async ({ branch_index }: { branch_index: number }) => branch_index + 7;
    const { branches, judgeFailures } = await rankBranches(rollout, { judge });
    expect(judgeFailures).toEqual([]);
    expect(branches.map((each) => [each.branch_index, each.judge_score, each.total_score])).toEqual(
      [
        [2, 9, 1.27],
        [1, 8, 1.24],
        [0, 7, 1.21],
      ],
    );
  });

  test("the judge is called once for each branch without a judge's score", async () => {
    await fc.assert(
      fc.asyncProperty(capturedRollout, async (expected) => {
        const captured = expected.map(({ branch }) => branch);
        const asked: number[] = [];
        const { branches } = await rankBranches(captured, {
          judge: async ({ branch_index }) => {
            asked.push(branch_index);
            return 3;
          },
        });
        const unjudged = captured.filter(({ judge_score }) => judge_score === undefined);
        expect(asked.toSorted()).toEqual(unjudged.map((each) => each.branch_index).toSorted());
        const filled = captured.map((each) => ({ judge_score: 3, ...each }));
        const totals = rankScored(filled).map((each) => [each.branch_index, each.total_score]);
        expect(branches.map((each) => [each.branch_index, each.total_score])).toEqual(totals);
      }),
    );
  });

  test("without a judge it ranks like rankScored", async () => {
    await fc.assert(
      fc.asyncProperty(capturedRollout, async (expected) => {
        const captured = expected.map(({ branch }) => branch);
        const { branches, judgeFailures } = await rankBranches(captured);
        expect([branches, judgeFailures]).toEqual([rankScored(captured), []]);
      }),
    );
  });

  test("a judge failure affects no other branch, and only failed branches are judged again", async () => {
    const error = new Error("overloaded");
    const judge = vi.fn(async ({ branch_index }: { branch_index: number }) => {
      if (branch_index === 1) throw error;
      return branch_index === 0 ? 9 : 11;
    });
    const first = await rankBranches(rollout, { judge });
    expect(first.judgeFailures).toEqual([
      { branchIndex: 1, error },
      { branchIndex: 2, error: new RangeError("judge score must be from 0 to 10, is 11") },
    ]);
    expect(first.branches.map((each) => [each.branch_index, each.total_score])).toEqual([
      [0, 1.27],
      [1, 1.15],
      [2, 1.15],
    ]);
    expect(first.branches.map((each) => "judge_score" in each)).toEqual([true, false, false]);
    const again = vi.fn(async () => 10);
    const second = await rankBranches(first.branches, { judge: again });
    expect(again).toHaveBeenCalledTimes(2);
    expect(second.judgeFailures).toEqual([]);
    expect(second.branches.map(({ branch_index }) => branch_index)).toEqual([1, 2, 0]);
  });

  test("the judge is not called for a rollout that cannot be ranked", async () => {
    const judge = vi.fn(async () => 5);
    const incomplete = [...rollout, createCaptured({ branch_index: 3 })];
    await expect(rankBranches(incomplete, { judge })).rejects.toThrow(UserError);
    await expect(rankBranches([], { judge })).rejects.toThrow(TypeError);
    const weights = { objective: Number.NaN, judge: 1 };
    await expect(rankBranches(rollout, { judge, weights })).rejects.toThrow(RangeError);
    expect(judge).not.toHaveBeenCalled();
  });
});

describe("rankScored", () => {
  /** Fields that ranking sets. It sets `judge_score` only to its captured value. */
  const SET_BY_RANKING = ["rank", "total_score", "objective_score", "objective_status"];

  const weights: fc.Arbitrary<ScoreWeights> = fc.record({
    objective: fc.double({ min: 0, max: 100, noNaN: true }),
    judge: fc.double({ min: 0.01, max: 100, noNaN: true }),
  });

  describe("any rollout", () => {
    test("its ranks are 1..n, once each, and follow the scores, then the index", () => {
      fc.assert(
        fc.property(capturedRollout, weights, (rollout, weights) => {
          const ranked = rankScored(
            rollout.map(({ branch }) => branch),
            { weights },
          );
          expect(ranked.map(({ rank }) => rank)).toEqual(rollout.map((_, at) => at + 1));
          for (const [at, better] of ranked.entries()) {
            const worse = ranked[at + 1];
            if (worse === undefined) continue;
            const tied = better.total_score === worse.total_score;
            expect(better.total_score).toBeGreaterThanOrEqual(worse.total_score);
            expect(tied && better.branch_index > worse.branch_index).toBe(false);
          }
        }),
      );
    });

    test("its scores follow the formula exactly", () => {
      fc.assert(
        fc.property(capturedRollout, weights, (rollout, weights) => {
          const branches = rollout.map(({ branch }) => branch);
          for (const { objective, judge, branch } of rollout) {
            const isBranch = (each: { branch_index: number }) =>
              each.branch_index === branch.branch_index;
            const byDefault = rankScored(branches).find(isBranch);
            expect(byDefault?.objective_score).toBe(objective);
            expect(byDefault?.total_score).toBe(objective * 1.0 + (judge / 10) * 0.3);
            expect(rankScored(branches, { weights }).find(isBranch)?.total_score).toBe(
              objective * weights.objective + (judge / 10) * weights.judge,
            );
          }
        }),
      );
    });

    test("the order of its branches does not matter, and they are not modified", () => {
      const shuffled = capturedRollout.chain((rollout) => {
        const branches = rollout.map(({ branch }) => branch);
        return fc.tuple(
          fc.constant(branches),
          fc.shuffledSubarray(branches, { minLength: branches.length }),
        );
      });
      fc.assert(
        fc.property(shuffled, ([branches, others]) => {
          const before = JSON.stringify(branches);
          expect(JSON.stringify(rankScored(others))).toBe(JSON.stringify(rankScored(branches)));
          expect(JSON.stringify(branches)).toBe(before);
        }),
      );
    });

    test("its records are valid, and keep all fields in order", () => {
      fc.assert(
        fc.property(capturedRollout, (rollout) => {
          const branches = rollout.map(({ branch }) => branch);
          for (const record of rankScored(branches)) {
            const branch = branches.find((each) => each.branch_index === record.branch_index) ?? {};
            const keys = Object.keys(branch);
            const fields: Open<typeof record> = record;
            expect(isRolloutBranchRecord(record)).toBe(true);
            expect(Object.keys(record).slice(0, keys.length)).toEqual(keys);
            expect(SET_BY_RANKING).toEqual(
              expect.arrayContaining(Object.keys(record).slice(keys.length)),
            );
            for (const [key, value] of Object.entries(branch)) {
              if (key !== "rank" && key !== "total_score") expect(fields[key]).toBe(value);
            }
          }
        }),
      );
    });

    test("ranking it again changes nothing", () => {
      fc.assert(
        fc.property(capturedRollout, (rollout) => {
          const ranked = rankScored(rollout.map(({ branch }) => branch));
          expect(JSON.stringify(rankScored(ranked))).toBe(JSON.stringify(ranked));
        }),
      );
    });
  });

  test("a field named __proto__ is kept", () => {
    const [record] = rankScored([
      { ...createCaptured({ objective_score: 1 }), ...JSON.parse('{"__proto__": {"a": 1}}') },
    ]);
    expect(JSON.stringify(record)).toContain('"__proto__":{"a":1}');
  });

  test("an unfinished build stays unknown in the record", () => {
    const [record] = rankScored([createCaptured({ build_result: { status: "running" } })]);
    expect(record).toMatchObject({ objective_status: "unknown", objective_score: 0 });
  });

  test("the verifier receives the branch", () => {
    const branches = ["four", "five"].map((final_answer, branch_index) =>
      createCaptured({ final_answer, branch_index }),
    );
    const ranked = rankScored(branches, {
      verifier: ({ final_answer }) => (final_answer === "five" ? "pass" : "fail"),
    });
    expect(ranked.map(({ final_answer, total_score }) => [final_answer, total_score])).toEqual([
      ["five", 1.15],
      ["four", 0.15],
    ]);
  });

  test("branches that cannot be ranked are rejected", () => {
    const branch = createCaptured({ objective_score: 1 });
    expect(() => rankScored([])).toThrow(TypeError);
    expect(() => rankScored([branch, branch])).toThrow(TypeError);
    expect(() => rankScored([createCaptured()])).toThrow(UserError);
    expect(() => rankScored([branch], { weights: { objective: -1, judge: 2 } })).toThrow(
      RangeError,
    );
  });
});

describe("toRanked", () => {
  test("best first, ties by numeric branch_index", () => {
    const scored = [10, 2, 1, 0].map((branch_index) => ({
      branch: createCaptured({ branch_index }),
      status: undefined,
      parts: {
        objective: branch_index === 1 ? 1 : 0,
        judgeScore: branch_index === 0 ? 4 : 5,
      } as const,
    }));
    const ranked = toRanked(scored, DEFAULT_WEIGHTS);
    expect(ranked.map(({ branch_index, rank }) => [branch_index, rank])).toEqual([
      [1, 1],
      [2, 2],
      [10, 3],
      [0, 4],
    ]);
  });

  test("keys keep their order; new ones come last", () => {
    const captured = { rank: 9, mine: [1], ...createCaptured() };
    const [ranked] = toRanked(
      [{ branch: captured, status: "unknown", parts: { objective: 0, judgeScore: 2.5 } }],
      DEFAULT_WEIGHTS,
    );
    expect(Object.entries(ranked ?? {})).toEqual([
      ["rank", 1],
      ...Object.entries(captured).slice(1),
      ["objective_status", "unknown"],
      ["objective_score", 0],
      ["judge_score", 2.5],
      ["total_score", 0.075],
    ]);
  });

  test("without a judge and a status, neither field appears", () => {
    const [ranked] = toRanked(
      [{ branch: createCaptured(), status: undefined, parts: { objective: 1 } }],
      DEFAULT_WEIGHTS,
    );
    expect(Object.keys(ranked ?? {}).slice(-3)).toEqual(["objective_score", "rank", "total_score"]);
    expect(ranked?.total_score).toBe(1.15);
  });
});

describe("scoreBranches", () => {
  const score = (...branches: Partial<Open<RolloutBranch>>[]) =>
    scoreBranches(branches.map(createCaptured), buildPasses);

  test("in numeric order of branch_index", () => {
    const scored = score(
      ...[10, 2, 0].map((branch_index) => ({ branch_index, objective_score: 1 })),
    );
    expect(scored.map(({ branch }) => branch.branch_index)).toEqual([0, 2, 10]);
  });

  test("branches of several rollouts are rejected", () => {
    expect(() => score()).toThrow(TypeError);
    expect(() => score({}, { rollout_id: "r-2", branch_index: 1 })).toThrow(TypeError);
    expect(() => score({ branch_index: 3 }, { branch_index: 0 }, { branch_index: 3 })).toThrow(
      new TypeError('rollout "r-1" has two branches with branch_index 3'),
    );
  });

  test.each<[Partial<Open<RolloutBranch>>, string]>([
    [
      {},
      "nothing says whether the branch passed: capture objective_status or build_result, or leave the branch out",
    ],
    [
      { build_result: { status: "skip" } },
      "build_result does not say whether the branch passed: capture objective_status",
    ],
    [{ objective_score: 2 }, "/objective_score must be 0 or 1, is 2"],
    [
      { objective_score: 0, objective_status: "pass" },
      '/objective_status is "pass", but objective_score is 0',
    ],
    [
      { objective_score: 1, build_result: { ok: false } },
      "/build_result failed, but the captured verdict is a pass",
    ],
    [
      { objective_status: "pass", build_result: { status: "running" } },
      "/build_result did not pass, but the captured verdict is a pass",
    ],
    [
      { objective_score: 1, judge_score: "9" },
      '/judge_score must be a number from 0 to 10, is "9"',
    ],
  ])("%j: %s", (fields, message) => {
    expect(() => score({ ...fields, branch_index: 4 }, { objective_score: 1 })).toThrow(
      new UserError(`rollout "r-1", branch 4: ${message}`, EXIT.findings),
    );
  });
});

describe("findUnrankable", () => {
  test("every branch without a score, with its index and pointer", () => {
    const branches = [
      createCaptured({ branch_index: 2, objective_score: 7 }),
      createCaptured({ branch_index: 1, objective_score: 1, judge_score: 3 }),
      createCaptured({ branch_index: 0 }),
    ];
    expect(findUnrankable(branches)).toEqual([
      {
        branchIndex: 2,
        id: "objective-score-range",
        pointer: "/objective_score",
        message: "must be 0 or 1, is 7",
      },
      { branchIndex: 0, id: "no-objective", pointer: "", message: expect.any(String) },
    ]);
  });

  test("a custom verifier can give the verdict", () => {
    expect(findUnrankable([createCaptured()], () => "pass")).toEqual([]);
  });
});

describe("requireOneRollout", () => {
  test("branches of one rollout pass", () => {
    expect(() => requireOneRollout([{ rollout_id: "a" }, { rollout_id: "a" }])).not.toThrow();
  });

  test("no branches, and branches of several rollouts, are rejected", () => {
    expect(() => requireOneRollout([])).toThrow(TypeError);
    expect(() => requireOneRollout([{ rollout_id: "a" }, { rollout_id: "b" }])).toThrow(
      new TypeError("branches of 2 rollouts (a, b): expected one"),
    );
  });
});
