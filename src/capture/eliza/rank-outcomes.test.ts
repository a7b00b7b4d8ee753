import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScoredOutcome } from "./outcome.js";
import { rankOutcomes } from "./rank-outcomes.js";

function outcomeOf(passed: boolean, threw: boolean, score: number | null): ScoredOutcome {
  return { task: "t", answer: "", events: [], sessionId: "", passed, threw, score };
}

test("success before failure, a result before an error, then the score, then the order", () => {
  const ranked = rankOutcomes([
    outcomeOf(false, true, 1),
    outcomeOf(false, false, 0.9),
    outcomeOf(true, false, null),
    outcomeOf(true, false, 0),
    outcomeOf(true, false, 0.1),
  ]);
  expect(ranked.map(({ branchIndex }) => branchIndex)).toEqual([4, 2, 3, 1, 0]);
  expect(ranked.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
});

test("every outcome has one rank", () => {
  const outcome = fc
    .tuple(fc.boolean(), fc.boolean(), fc.option(fc.double({ noNaN: true })))
    .map((parts) => outcomeOf(...parts));
  fc.assert(
    fc.property(fc.array(outcome), (outcomes) => {
      const indexes = rankOutcomes(outcomes).map(({ branchIndex }) => branchIndex);
      expect(indexes.toSorted((a, b) => a - b)).toEqual(outcomes.map((_, index) => index));
    }),
  );
});
