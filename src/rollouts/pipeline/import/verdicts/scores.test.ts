import { expect, test } from "vitest";
import type { RewardMapping } from "./rewards.js";
import { parseObjective } from "./rewards.js";
import { readScores } from "./scores.js";

const UNMAPPED: RewardMapping = { objective: undefined, score: undefined };
const PASS_ABOVE_0: RewardMapping = { ...UNMAPPED, objective: parseObjective("reward>0") };
const FROM_MINUS_1: RewardMapping = {
  ...UNMAPPED,
  score: { metric: undefined, range: [-1, 1] },
};

const read = (mapping: RewardMapping, value: unknown) =>
  readScores(mapping, () => ({ pointer: "/total_reward", value }));

test("there are no scores unless requested", () => {
  expect(read(UNMAPPED, 3)).toEqual({ fields: {}, faults: [] });
});

test.each<[unknown, string, number]>([
  [0.1, "pass", 1],
  [0, "fail", 0],
  [true, "pass", 1],
  // Not finite: the verdict is unknown.
  [null, "unknown", 0],
])("a reward of %j: %s", (value, status, score) => {
  expect(read(PASS_ABOVE_0, value)).toEqual({
    fields: {
      objective_status: status,
      objective_score: score,
      scored_by: { objective: "reward>0" },
    },
    faults: [],
  });
});

test.each([
  [-1, 0],
  [0, 5],
  [1, 10],
  [false, 5],
  ["1", 10],
])("a reward of %j is a judge's score of %d", (value, score) => {
  expect(read(FROM_MINUS_1, value).fields).toEqual({
    judge_score: score,
    scored_by: { judge_score: { metric: "/total_reward", range: [-1, 1] } },
  });
});

test.each<[unknown, string, string | RegExp]>([
  [1.01, "score-range", /must be from -1 to 1 \(--score-range\), is 1.01/],
  [null, "score-range", /must be from -1 to 1 \(--score-range\), is null/],
  ["C", "metric-type", /must be a number for --score-range, is "C"; --pass-value names/],
  [undefined, "metric-missing", 'lacks "reward", which --score-range names'],
])("a reward of %j is refused", (value, id, message) => {
  expect(read(FROM_MINUS_1, value)).toMatchObject({
    fields: {},
    faults: [{ id, pointer: "/total_reward", message: expect.stringMatching(message) }],
  });
});
