import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelContext, Open } from "#generated/index.js";
import { findFaults } from "../../base/testing/find-faults.js";
import type { RecordFormat } from "./options.js";
import type { ScoredOutcome } from "./outcome.js";
import { type RolloutRecords, rankOutcomes, toRecords } from "./records.js";

describe("toRecords", () => {
  function recordsOf(format: RecordFormat, ...outcomes: Partial<ScoredOutcome>[]): RolloutRecords {
    const full = outcomes.map(
      (outcome): ScoredOutcome => ({
        task: "2+2?",
        answer: "four",
        events: [],
        sessionId: "room",
        context: {},
        verdict: "pass",
        threw: false,
        score: 0.8,
        ...outcome,
      }),
    );
    const given = toRecords("r", rankOutcomes(full), { format, exportedAtMs: 5 });
    for (const { type, record } of given.records) {
      // Scores of these tests may be outside 0 to 1.
      const faults = findFaults(record, type).filter(({ id }) => id !== "score-in-range");
      expect(faults).toEqual([]);
    }
    return given;
  }

  function rewardsOf({ records }: RolloutRecords): unknown[] {
    return records.map(({ record }) => ("reward" in record ? record.reward : undefined));
  }

  test("the reward is the score; that of a failure is at most 0", () => {
    const failed = { verdict: "fail", threw: true } as const;
    const given = recordsOf(
      "ppo",
      { score: 7 },
      { ...failed, score: 0.9 },
      { ...failed, score: -1 },
    );
    expect(rewardsOf(given)).toEqual([7, 0, -1]);
  });

  test("a run without a score is written as a branch", () => {
    const { records } = recordsOf("both", { score: null, answer: "five" }, { score: 0.5 });
    expect(records.map(({ type }) => type)).toEqual(["DpoRecord", "RolloutBranch", "PpoRecord"]);
  });

  test.each<[string, Partial<ScoredOutcome>[], string]>([
    ["one run", [{}], "single-branch"],
    ["answers of one score", [{}, { answer: "five" }], "no-preference"],
    ["the same answer of two scores", [{}, { score: 0.1 }], "identical-answers"],
    ["a success that says nothing", [{ answer: "" }, { verdict: "fail" }], "empty-chosen"],
    [
      "a run that nobody judged and a failure",
      [
        { verdict: undefined, score: null },
        { verdict: "fail", answer: "no" },
      ],
      "unknown-objective",
    ],
  ])("no pair of %s", (_, outcomes, reason) => {
    const { records, notPaired } = recordsOf("dpo", ...outcomes);
    expect([records, notPaired]).toEqual([[], reason]);
  });

  test("Layer 1 has the context, and only verdicts that somebody gave", () => {
    const context: ModelContext = {
      messages: [{ role: "system", content: "Be brief." }],
      tools: [],
    };
    const { records } = recordsOf(
      "branches",
      { verdict: undefined, score: null, context },
      { verdict: undefined, score: 0.5 },
      { verdict: "pass", score: null },
      { verdict: "fail", score: 1 },
    );
    const branches = records.map(({ record }): Open<typeof record> => record);
    expect(branches[0]).toMatchObject({ context });
    expect(branches.map(({ objective_status }) => objective_status)).toEqual([
      undefined,
      "pass",
      "pass",
      "fail",
    ]);
    expect(branches.map(({ judge_score }) => judge_score)).toEqual([undefined, 5, undefined, 10]);
  });

  test("a success and a failure make a pair whatever their scores are", () => {
    for (const score of [0, 1, -3, null]) {
      const { records } = recordsOf("dpo", { score }, { verdict: "fail", answer: "no", score: 5 });
      expect(records).toMatchObject([{ record: { chosen: "four", rejected: "no" } }]);
    }
  });
});

describe("rankOutcomes", () => {
  const outcome = { task: "t", answer: "", events: [], sessionId: "", context: {} };
  function outcomeOf(
    verdict: ScoredOutcome["verdict"],
    threw: boolean,
    score: number | null,
  ): ScoredOutcome {
    return { ...outcome, verdict, threw, score };
  }

  test("anything before a failure, a result before an error, then by score, then by index", () => {
    const ranked = rankOutcomes([
      outcomeOf("fail", true, 1),
      outcomeOf("fail", false, 0.9),
      outcomeOf("pass", false, null),
      outcomeOf(undefined, false, 0),
      outcomeOf("pass", false, 0.1),
    ]);
    expect(ranked.map(({ branchIndex }) => branchIndex)).toEqual([4, 2, 3, 1, 0]);
    expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
  });

  test("every outcome has one rank", () => {
    const outcome = fc
      .tuple(
        fc.constantFrom("pass" as const, "fail" as const, undefined),
        fc.boolean(),
        fc.option(fc.double({ noNaN: true })),
      )
      .map((parts) => outcomeOf(...parts));
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const indexes = rankOutcomes(outcomes).map(({ branchIndex }) => branchIndex);
        expect(indexes.toSorted((a, b) => a - b)).toEqual(outcomes.map((_, index) => index));
      }),
    );
  });
});
