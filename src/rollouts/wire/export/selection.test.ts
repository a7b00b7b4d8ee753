import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { toDpoRecord, toPpoRecords } from "./flat-records.js";
import {
  groupByRollout,
  inBranchOrder,
  pairsOf,
  selectDemonstration,
  selectPair,
  selectSide,
} from "./selection.js";
import { createBranch } from "./testing/create-branch.js";
import { createEvent } from "./testing/create-event.js";
import { toDpoTrainingRecord, toPpoTrainingRecords } from "./training-records.js";

describe("selectPair", () => {
  const best = createBranch({ branch_index: 2, rank: 1, total_score: 1.15, final_answer: "best" });
  const middle = createBranch({
    branch_index: 1,
    rank: 2,
    total_score: 0.5,
    final_answer: "middle",
  });
  const worst = createBranch({
    branch_index: 0,
    rank: 3,
    total_score: 0.15,
    final_answer: "worst",
  });

  const reasonOf = (chosen: Partial<RolloutBranchRecord>, rejected: Partial<RolloutBranchRecord>) =>
    selectPair([{ ...best, ...chosen }, middle, { ...worst, ...rejected }]).reason;

  test("best rank against worst rank, in any input order", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([best, middle, worst], { minLength: 3 }), (branches) => {
        expect(selectPair(branches)).toEqual({ pair: { chosen: best, rejected: worst } });
      }),
    );
  });

  test("ties in rank are broken by branch_index", () => {
    const tied = [3, 1, 2].map((branch_index) =>
      createBranch({ branch_index, total_score: branch_index, final_answer: `${branch_index}` }),
    );
    const { pair } = selectPair(tied);
    expect([pair?.chosen.branch_index, pair?.rejected.branch_index]).toEqual([1, 3]);
  });

  test("a crashed branch may be the rejected side", () => {
    expect(reasonOf({}, { final_answer: "" })).toBeUndefined();
  });

  test("single-branch", () => {
    expect(selectPair([best])).toEqual({ reason: "single-branch" });
  });

  test("no-preference", () => {
    expect(reasonOf({ total_score: 1 }, { total_score: 1 })).toBe("no-preference");
  });

  test("identical-answers", () => {
    expect(reasonOf({ final_answer: "same" }, { final_answer: "same" })).toBe("identical-answers");
    expect(reasonOf({ final_answer: "" }, { final_answer: "" })).toBe("identical-answers");
  });

  test("empty-chosen", () => {
    expect(reasonOf({ final_answer: "" }, {})).toBe("empty-chosen");
  });

  test("different-prompts: only where the task is not a user's, so that users begin the branches", () => {
    const begun = (first: string, task_role?: "system"): Partial<RolloutBranchRecord> => ({
      ...(task_role && { task_role }),
      turns: [
        { role: "user", content: first },
        { role: "assistant", content: first },
      ],
      final_answer: first,
    });
    expect(reasonOf(begun("Hi", "system"), begun("Hey", "system"))).toBe("different-prompts");
    expect(reasonOf(begun("Hi"), begun("Hey"))).toBeUndefined();
    const same = {
      turns: [{ role: "user" as const, content: "Hi" }],
      task_role: "system" as const,
    };
    expect(reasonOf({ ...begun("Hi"), ...same }, { ...begun("Hey"), ...same })).toBeUndefined();
  });

  test("unknown-objective", () => {
    expect(reasonOf({ objective_status: "unknown" }, {})).toBe("unknown-objective");
    expect(reasonOf({ objective_status: "pass" }, { objective_status: "unknown" })).toBe(
      "unknown-objective",
    );
    expect(reasonOf({ objective_status: "pass" }, { objective_status: "fail" })).toBeUndefined();
  });

  test("the first applicable reason is returned", () => {
    const faults: Partial<RolloutBranchRecord>[] = [
      { total_score: 1 },
      { final_answer: "" },
      { objective_status: "unknown" },
    ];
    const reasons = faults.map((_, from) => {
      const fault = Object.assign({}, ...faults.slice(from));
      return reasonOf(fault, fault);
    });
    expect(reasons).toEqual(["no-preference", "unknown-objective", "unknown-objective"]);
    expect(reasonOf({ final_answer: "", objective_status: "unknown" }, {})).toBe(
      "unknown-objective",
    );
  });

  test("of equal total scores the first that makes a pair, from either end", () => {
    const ranked = (answers: readonly string[], scores: readonly number[]) =>
      answers.map((final_answer, index) =>
        createBranch({
          branch_index: index,
          rank: index + 1,
          total_score: scores[index] ?? 0,
          final_answer,
        }),
      );
    const indices = (branches: RolloutBranchRecord[]) => {
      const { pair, reason } = selectPair(branches);
      return pair ? [pair.chosen.branch_index, pair.rejected.branch_index] : reason;
    };
    expect(indices(ranked(["", "a", "b"], [1, 1, 0]))).toEqual([1, 2]);
    expect(indices(ranked(["a", "b", "a"], [1, 0, 0]))).toEqual([0, 1]);
    expect(indices(ranked(["a", "b", "c", "d"], [1, 1, 0, 0]))).toEqual([0, 3]);
    expect(indices(ranked(["", "", "b"], [1, 1, 0]))).toBe("empty-chosen");
    expect(indices(ranked(["", "b", "b"], [1, 1, 0]))).toBe("empty-chosen");
    expect(indices(ranked(["", "b", "c"], [1, 1, 1]))).toBe("no-preference");
  });

  test("rejects branches of several rollouts", () => {
    expect(() => selectPair([])).toThrow(TypeError);
    expect(() => selectPair([best, createBranch({ rollout_id: "r-2" })])).toThrow(TypeError);
  });
});

describe("selectDemonstration", () => {
  const best = createBranch({ branch_index: 2, rank: 1 });
  const tied = createBranch({ branch_index: 3, rank: 1 });
  const worst = createBranch({
    branch_index: 0,
    rank: 3,
    total_score: 0,
    objective_score: 0,
    final_answer: "",
  });

  const reasonOf = (fields: Partial<RolloutBranchRecord>) =>
    selectDemonstration([worst, { ...best, ...fields }]).reason;

  test("the best branch, in any input order", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([best, tied, worst], { minLength: 3 }), (branches) => {
        expect(selectDemonstration(branches)).toEqual({ branch: best });
      }),
    );
    expect(selectDemonstration([best])).toEqual({ branch: best });
  });

  test("each reason, in the order in which they are tested", () => {
    const faults: Partial<RolloutBranchRecord>[] = [
      { objective_status: "unknown" },
      { objective_score: 0 },
      { final_answer: "" },
    ];
    const reasons = faults.map((_, from) => reasonOf(Object.assign({}, ...faults.slice(from))));
    expect(reasons).toEqual(["unknown-objective", "not-solved", "empty-answer"]);
    expect(faults.map(reasonOf)).toEqual(reasons);
  });

  test("of equal total scores the first that is worth imitating; the reason is that of the first", () => {
    const unknown = { ...best, objective_status: "unknown" as const };
    expect(selectDemonstration([unknown, tied])).toEqual({ branch: tied });
    expect(selectDemonstration([unknown, { ...tied, final_answer: "" }])).toEqual({
      reason: "unknown-objective",
    });
    expect(selectDemonstration([unknown, { ...unknown, branch_index: 3 }])).toEqual({
      reason: "unknown-objective",
    });
  });

  test("a branch that ends in a call has an answer", () => {
    const finish = createEvent({ event: "tool_call", data: { toolName: "finish", callId: "c" } });
    const open = { ...best, final_answer: "", tool_call_sequence: [finish] };
    expect(selectDemonstration([open])).toEqual({ branch: open });
  });

  test("a status that agrees is not a reason", () => {
    expect(reasonOf({ objective_status: "pass" })).toBeUndefined();
  });

  test("rejects branches of several rollouts", () => {
    expect(() => selectDemonstration([])).toThrow(TypeError);
    expect(() => selectDemonstration([best, createBranch({ rollout_id: "r-2" })])).toThrow(
      TypeError,
    );
  });
});

describe("selectSide", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => `r-${index}`);

  test("the draw depends only on seed and rollout", () => {
    // The first bytes of `printf '0\nr-1' | sha256sum` and so on are f7, 8e, d7 and ac.
    expect(["r-1", "r-2", "r-3", "r-4"].map((id) => selectSide(0, id))).toEqual([
      "B",
      "A",
      "B",
      "A",
    ]);
  });

  test("both sides are drawn about equally often, and another seed gives other draws", () => {
    const sides = ids.map((id) => selectSide(7, id));
    const first = sides.filter((side) => side === "A").length;
    expect(Math.abs(first - 500)).toBeLessThan(100);
    const same = ids.filter((id, index) => selectSide(8, id) === sides[index]).length;
    expect(Math.abs(same - 500)).toBeLessThan(100);
  });
});

describe("requireRanked", () => {
  /** As a JavaScript caller may pass it: without `total_score`. */
  function createUnranked() {
    const branch = createBranch({ rollout_id: "r-1", branch_index: 1 });
    Reflect.deleteProperty(branch, "total_score");
    return branch;
  }

  test.each<[string, (branches: ReturnType<typeof createUnranked>[]) => unknown]>([
    ["toPpoRecords", toPpoRecords],
    ["toPpoTrainingRecords", toPpoTrainingRecords],
    ["toDpoRecord", toDpoRecord],
    ["toDpoTrainingRecord", toDpoTrainingRecord],
  ])("%s refuses branches that are not ranked", (_, make) => {
    const ranked = createBranch({ rollout_id: "r-1" });
    expect(() => make([ranked, createUnranked()])).toThrow(
      new TypeError(
        'branch 1 of rollout "r-1" has no total_score: rank the branches first (rankBranches)',
      ),
    );
  });
});

describe("inBranchOrder", () => {
  test("sorts a copy numerically by branch_index", () => {
    const branches = [10, 2, 0].map((branch_index) => createBranch({ branch_index }));
    expect(inBranchOrder(branches).map((branch) => branch.branch_index)).toEqual([0, 2, 10]);
    expect(branches[0]?.branch_index).toBe(10);
  });

  test("rejects branches of several rollouts", () => {
    expect(() => inBranchOrder([])).toThrow(TypeError);
  });
});

describe("groupByRollout", () => {
  test("rollouts in order of first appearance, records in order", () => {
    const records = ["b", "a", "b", "2", "1"].map((rollout_id, at) => ({ rollout_id, at }));
    const groups = [...groupByRollout(records)].map(([id, group]) => [
      id,
      group.map(({ at }) => at),
    ]);
    expect(groups).toEqual([
      ["b", [0, 2]],
      ["a", [1]],
      ["2", [3]],
      ["1", [4]],
    ]);
  });
});

describe("pairsOf", () => {
  test("all: every branch with every worse one, the largest differences first", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(scores, (values) => {
        const ranked = values.map((score, index) =>
          createBranch({ branch_index: index, rank: index + 1, total_score: score / 4 }),
        );
        const every = ranked.flatMap((chosen, index) =>
          ranked.slice(index + 1).map((rejected) => ({ chosen, rejected })),
        );
        const gap = ({ chosen, rejected }: (typeof every)[number]): number =>
          chosen.total_score - rejected.total_score;
        // Sorting is stable: of equal differences, those of the better ranks come first.
        const expected = every.toSorted((one, other) => gap(other) - gap(one));
        expect([...pairsOf(ranked, "all")]).toEqual(expected);
      }),
    );
  });

  test("all: of millions of pairs, only those that are taken are made", () => {
    const ranked = Array.from({ length: 20_000 }, (_, index) =>
      createBranch({ branch_index: index, rank: index + 1, total_score: 1 - index / 20_000 }),
    );
    const taken: string[] = [];
    for (const { chosen, rejected } of pairsOf(ranked, "all")) {
      taken.push(`${chosen.branch_index}-${rejected.branch_index}`);
      if (taken.length === 3) break;
    }
    expect(taken).toEqual(["0-19999", "0-19998", "1-19999"]);
  });
});
