import type { EntryTypeName } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { maxTotalScore, type ScoreWeights } from "../../scoring/score.js";
import { DEFAULT_CONTEXT, type RecordRule } from "./rule.js";

/** Relative to the highest score, and at least this much: sums of weights are not exact. */
const TOLERANCE = 1e-9;

/**
 * The reward of a training record is the total score divided by the highest one, clamped to 0..1: all scores beyond
 * the range get the same reward. Unranked branches have no total score, whatever their open fields contain.
 */
export const scoreInRange = {
  id: "score-in-range",
  purpose: "raw total scores are between 0 and the sum of the weights",
  scope: "record",
  check(record, type, { weights } = DEFAULT_CONTEXT) {
    const highest = maxTotalScore(weights);
    const tolerance = TOLERANCE * Math.max(1, highest);
    return readScores(record, type).flatMap(([pointer, score]) => {
      if (score >= -tolerance && score <= highest + tolerance) return [];
      return [{ pointer, message: `is ${score}, but must be ${describeRange(weights)}` }];
    });
  },
} as const satisfies RecordRule;

type PlacedScore = readonly [pointer: string, score: number];

/** The raw total scores of a record that is structurally valid for `type`. */
function readScores(record: JsonObject, type: EntryTypeName): readonly PlacedScore[] {
  if (type === "RolloutBranchRecord") return toScores("/total_score", record.total_score);
  if (type === "PpoRecord") return toScores("/reward", record.reward);
  if (type !== "DpoTrainingRecord") return [];
  const pair = isJsonObject(record.provenance) ? record.provenance.total_score : undefined;
  if (!isJsonObject(pair)) return [];
  return [
    ...toScores("/provenance/total_score/chosen", pair.chosen),
    ...toScores("/provenance/total_score/rejected", pair.rejected),
  ];
}

function toScores(pointer: string, score: unknown): readonly PlacedScore[] {
  return typeof score === "number" ? [[pointer, score]] : [];
}

function describeRange(weights: ScoreWeights): string {
  const { objective, judge } = weights;
  // 0.1 + 0.2 is 0.3 to people.
  const highest = Number(maxTotalScore(weights).toPrecision(12));
  return `0 to ${highest} with --weights objective=${objective},judge=${judge}`;
}
