import { describe, expect, test } from "vitest";
import { DIRECTIONS } from "../../src/contract/compat/schema/schema-set.js";
import { createJsoncompatJudge, ownJudge } from "./compat-judges.js";
import { DEFAULT_PAIR_FILES, type Pair, readPairs } from "./compat-pairs.js";

const layouts = readPairs(DEFAULT_PAIR_FILES.filter((file) => file.includes("layout")));

describe("collections, unions, several files, older dialects", () => {
  test.each(layouts.map((pair) => [pair.id, pair] as const))("%s", (_, pair) => {
    const rulings = ownJudge.judge(pair);
    for (const direction of DIRECTIONS) {
      const { verdict, isProven } = rulings[direction];
      expect([direction, verdict]).toEqual([direction, pair[direction]]);
      expect(isProven).toBe(verdict === "breaking" ? true : undefined);
    }
  });
});

const number: Pair = {
  id: "number",
  old: { type: "integer" },
  new: { type: "number" },
  backward: "compatible",
  forward: "breaking",
};

test("a version that cannot be read is undecided, not an error", () => {
  const unreadable = { ...number, old: { $schema: "urn:no-dialect" } };
  expect(ownJudge.judge(unreadable)).toEqual({
    backward: { verdict: "undecided" },
    forward: { verdict: "undecided" },
  });
});

test("jsoncompat answers in the same directions, and refuses several files", () => {
  const { judge } = createJsoncompatJudge();
  expect(judge(number)).toEqual({
    backward: { verdict: "compatible" },
    forward: { verdict: "breaking" },
  });
  expect(judge({ ...number, old: { $ref: "base.json" } })).toEqual({
    backward: { verdict: "undecided" },
    forward: { verdict: "undecided" },
  });
});
