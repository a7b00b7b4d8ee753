import { expect, test } from "vitest";
import { createCaptured } from "./testing/create-captured.js";
import { toRanked } from "./to-ranked.js";
import { DEFAULT_WEIGHTS } from "./weights.js";

test("best first, ties by branch_index as a number", () => {
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

test("keys keep their places; new ones stand at the end", () => {
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

test("without a judge and a verdict as a word, neither field appears", () => {
  const [ranked] = toRanked(
    [{ branch: createCaptured(), status: undefined, parts: { objective: 1 } }],
    DEFAULT_WEIGHTS,
  );
  expect(Object.keys(ranked ?? {}).slice(-3)).toEqual(["objective_score", "rank", "total_score"]);
  expect(ranked?.total_score).toBe(1.15);
});
