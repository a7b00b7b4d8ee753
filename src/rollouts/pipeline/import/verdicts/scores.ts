import type { ObjectiveStatus } from "#generated/index.js";
import { previewValue } from "../../../../base/text.js";
import { SCORE_OF_STATUS } from "../../../wire/scoring/objective.js";
import { MAX_JUDGE_SCORE } from "../../../wire/scoring/score.js";
import type { ImportFault } from "../reader.js";
import {
  type Objective,
  type RewardMapping,
  type ScoreMapping,
  toRewardNumber,
} from "./rewards.js";

/** A reward or metric of a row. */
export interface Metric {
  /** JSON Pointer into the row. */
  readonly pointer: string;
  /** Undefined if the row does not contain it. */
  readonly value: unknown;
}

/** The scores of a branch as `rank` reads them, and how they were computed. */
export interface ScoreFields {
  readonly objective_status?: ObjectiveStatus;
  readonly objective_score?: number;
  readonly judge_score?: number;
  readonly scored_by?: ScoredBy;
}

/** The mapping that the user requested. */
interface ScoredBy {
  readonly objective?: string;
  readonly judge_score?: { readonly metric: string; readonly range: readonly number[] };
}

/**
 * Maps the rewards of a row to scores. For a non-finite reward (read as null) the objective verdict is
 * `unknown`. Faults: `metric-missing`, `metric-type`, and `score-range` for a reward outside the range.
 */
export function readScores(
  { objective, score, passValue }: RewardMapping,
  read: (name: string | undefined) => Metric,
): { readonly fields: ScoreFields; readonly faults: readonly ImportFault[] } {
  const verdict = objective && readVerdict(objective, read(objective.metric), passValue);
  const judgeScore = score && readJudgeScore(score, read(score.metric), passValue);
  const faults = [verdict, judgeScore].flatMap((each) =>
    each && "fault" in each ? [each.fault] : [],
  );
  if (faults.length > 0) return { fields: {}, faults };
  return {
    fields: {
      ...(verdict && "fields" in verdict && verdict.fields),
      ...(judgeScore && "fields" in judgeScore && judgeScore.fields),
      ...((objective || score) && {
        scored_by: {
          ...(objective && { objective: objective.text }),
          ...(score && { judge_score: { metric: read(score.metric).pointer, range: score.range } }),
        },
      }),
    },
    faults,
  };
}

type Reading = { readonly fields: ScoreFields } | { readonly fault: ImportFault };

function readVerdict(objective: Objective, metric: Metric, passValue?: string): Reading {
  const value = toNumber(metric, objective.metric, "--objective", passValue);
  if (typeof value === "object" && value !== null) return value;
  const status = value === null ? "unknown" : objective.passes(value) ? "pass" : "fail";
  return { fields: { objective_status: status, objective_score: SCORE_OF_STATUS[status] } };
}

function readJudgeScore(
  { metric: name = "reward", range: [low, high] }: ScoreMapping,
  metric: Metric,
  passValue?: string,
): Reading {
  const value = toNumber(metric, name, "--score-range", passValue);
  if (typeof value === "object" && value !== null) return value;
  if (value === null || value < low || value > high) {
    const cause = `must be from ${low} to ${high} (--score-range)`;
    const message = `${cause}, is ${value}`;
    return { fault: { id: "score-range", pointer: metric.pointer, message, cause } };
  }
  return { fields: { judge_score: ((value - low) / (high - low)) * MAX_JUDGE_SCORE } };
}

function toNumber(
  { value, pointer }: Metric,
  name: string,
  option: string,
  passValue: string | undefined,
): number | null | { readonly fault: ImportFault } {
  const number = toRewardNumber(value, passValue);
  if (number !== undefined) return number;
  if (value === null) return value;
  if (value === undefined) {
    const message = `lacks ${previewValue(name)}, which ${option} names`;
    return { fault: { id: "metric-missing", pointer, message } };
  }
  const cause = `must be a number for ${option}`;
  const advice = typeof value === "string" ? "; --pass-value names the word that passes" : "";
  const message = `${cause}, is ${previewValue(value)}${advice}`;
  return { fault: { id: "metric-type", pointer, message, cause } };
}
