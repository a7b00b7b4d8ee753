import type { Objective } from "./parse-objective.js";
import type { ScoreRange } from "./parse-score-range.js";

/** How a log's unbounded rewards become scores: only as the user says. */
export interface RewardMapping {
  /** When a branch passes; undefined: its verdict is not known. */
  readonly objective: Objective | undefined;
  /** What becomes the judge's score; undefined: none. */
  readonly score: ScoreMapping | undefined;
}

/** A reward that is mapped to the judge's score, lowest to 0 and highest to 10. */
export interface ScoreMapping {
  /** Name of the reward; undefined: the one that the source calls its own. */
  readonly metric: string | undefined;
  readonly range: ScoreRange;
}
