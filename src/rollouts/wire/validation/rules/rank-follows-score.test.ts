import fc from "fast-check";
import { expect, test } from "vitest";
import { rankFollowsScore } from "./rank-follows-score.js";
import { createFacts } from "./testing/create-facts.js";

type Ranking = readonly [rank: number | undefined, totalScore: number | undefined];

function check(rankings: readonly Ranking[]) {
  return rankFollowsScore.check(
    rankings.map(([rank, totalScore]) => createFacts({ rank, totalScore })),
  );
}

test("each branch that scores above a better rank, with that rank's score", () => {
  const message = "rank 3, but its total_score 0.9 is above the 0.5 of rank 2";
  expect(
    check([
      [3, 0.9],
      [1, 1.2],
      [2, 0.5],
    ]),
  ).toEqual([{ branch: 0, pointer: "/rank", message }]);
});

test("equal scores in any order, and unranked branches", () => {
  expect(
    check([
      [2, 1],
      [1, 1],
      [3, 0.5],
    ]),
  ).toEqual([]);
  expect(check([[undefined, undefined]])).toEqual([]);
  expect(check([])).toEqual([]);
});

test("it reports the same branches as a pairwise comparison", () => {
  const ranking = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0, 0.5, 1, 1.3));
  fc.assert(
    fc.property(fc.array(ranking, { maxLength: 6 }), (rankings) => {
      const expected = rankings.flatMap(([rank, score], branch) =>
        rankings.some(([other, otherScore]) => other < rank && otherScore < score) ? [branch] : [],
      );
      expect(check(rankings).map(({ branch }) => branch)).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
});
