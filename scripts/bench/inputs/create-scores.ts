import type { RolloutBranchRecord } from "#generated/index.js";
import { totalScore } from "../../../src/scoring/score.js";
import { Random } from "./random.js";

/** What ranking says of a branch. */
export type Scores = Pick<
  RolloutBranchRecord,
  "objective_status" | "objective_score" | "total_score" | "rank"
>;

export const BRANCHES_PER_ROLLOUT = 4;

/** Scores and ranks of a rollout's branches, in branch order. */
export function createScores(rollout: number): Scores[] {
  const random = new Random("scores", rollout);
  const scored = Array.from({ length: BRANCHES_PER_ROLLOUT }, (_, branch) => {
    const passed = random.chance(55);
    const objective_score = passed ? 1 : 0;
    const failure = random.chance(3) ? "unknown" : "fail";
    return {
      branch,
      objective_status: passed ? "pass" : failure,
      objective_score,
      total_score: totalScore({ objective: objective_score, judgeScore: random.integer(0, 10) }),
    } as const;
  });
  const best = scored.toSorted((a, b) => b.total_score - a.total_score || a.branch - b.branch);
  return scored.map(({ branch, ...scores }) => ({
    ...scores,
    rank: 1 + best.findIndex((each) => each.branch === branch),
  }));
}
