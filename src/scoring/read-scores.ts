import type { ObjectiveStatus, RolloutBranch } from "#generated/index.js";
import { previewValue } from "../text.js";
import { isJudgeScore, MAX_JUDGE_SCORE } from "./is-judge-score.js";
import type { ObjectiveVerifier } from "./objective-verifier.js";
import { readObjective } from "./read-objective.js";
import type { ScoreFault } from "./score-fault.js";
import type { ScoreParts } from "./total-score.js";

/** A captured branch with what was read of its scores. */
export interface ScoredBranch {
  readonly branch: RolloutBranch;
  /** The objective verdict as a word; undefined when nothing gave one. */
  readonly status: ObjectiveStatus | undefined;
  readonly parts: ScoreParts;
}

/** A scored branch, or why the branch has no score. */
export type ScoreReading =
  | { readonly scored: ScoredBranch; readonly fault?: never }
  | { readonly fault: ScoreFault; readonly scored?: never };

/**
 * Reads the scores of a captured branch: the objective verdict as `readObjective` does, and
 * `judge_score`, an open field of a branch before ranking (0..10; null counts as absent).
 */
export function readScores(branch: RolloutBranch, verifier: ObjectiveVerifier): ScoreReading {
  const { score, status, fault } = readObjective(branch, verifier);
  if (fault !== undefined) return { fault };
  const judgeScore = branch.judge_score ?? undefined;
  if (judgeScore === undefined || isJudgeScore(judgeScore)) {
    return { scored: { branch, status, parts: { objective: score, judgeScore } } };
  }
  const message = `must be a number from 0 to ${MAX_JUDGE_SCORE}, is ${previewValue(judgeScore)}`;
  return { fault: { id: "judge-score-range", pointer: "/judge_score", message } };
}
