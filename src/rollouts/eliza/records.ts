import {
  type DpoRecord,
  type ObjectiveStatus,
  type PpoRecord,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import { createDpoRecord, createPpoRecord } from "../wire/export/flat-records.js";
import { type PairReason, selectPair } from "../wire/export/selection.js";
import { isJudgeScore, MAX_JUDGE_SCORE } from "../wire/scoring/score.js";
import type { RecordFormat } from "./options.js";
import type { ScoredOutcome } from "./outcome.js";

/** A record of one of the types that the plugin writes. */
export type TypedRecord =
  | { readonly type: "RolloutBranch"; readonly record: RolloutBranch }
  | { readonly type: "DpoRecord"; readonly record: DpoRecord }
  | { readonly type: "PpoRecord"; readonly record: PpoRecord };

export interface RolloutRecords {
  readonly records: readonly TypedRecord[];
  /** Why there is no pair, if the format wants one. */
  readonly notPaired?: PairReason;
}

/** The format requires a sampling temperature, and the runtime does not reveal it. */
const UNKNOWN_TEMPERATURE = 0;

/**
 * The records of one rollout in a format: the pair first, then one record per run, in order. A run without a
 * score has no reward, and is written as a Layer 1 branch.
 *
 * The reward is the score; for a failed run it is at most 0. The pair has the best and the worst run; a success
 * and a failure make a pair whatever their scores are.
 */
export function toRecords(
  rolloutId: string,
  ranked: readonly RankedOutcome[],
  { format, exportedAtMs }: { readonly format: RecordFormat; readonly exportedAtMs: number },
): RolloutRecords {
  const runs = ranked
    .toSorted((a, b) => a.branchIndex - b.branchIndex)
    .flatMap((each) => {
      const reward = format === "branches" ? null : toReward(each);
      return format === "dpo" ? [] : [toRunRecord(rolloutId, each, { reward, exportedAtMs })];
    });
  if (format !== "dpo" && format !== "both") return { records: runs };
  const { pair, reason } = selectPair(ranked.map((each) => toComparable(rolloutId, each)));
  if (pair === undefined) return { records: runs, notPaired: reason };
  const record = createDpoRecord(pair, { exportedAtMs });
  return { records: [{ type: "DpoRecord", record }, ...runs] };
}

function toRunRecord(
  rolloutId: string,
  each: RankedOutcome,
  { reward, exportedAtMs }: { readonly reward: number | null; readonly exportedAtMs: number },
): TypedRecord {
  if (reward === null) return { type: "RolloutBranch", record: toBranch(rolloutId, each) };
  const record = createPpoRecord(toRanked(rolloutId, each, reward), { exportedAtMs });
  return { type: "PpoRecord", record };
}

function toReward({ outcome: { verdict, score } }: RankedOutcome): number | null {
  return score === null || verdict !== "fail" ? score : Math.min(score, 0);
}

function toComparable(rolloutId: string, each: RankedOutcome): RolloutBranchRecord {
  return toRanked(rolloutId, each, objectiveOf(each) + (toReward(each) ?? 0));
}

function toRanked(rolloutId: string, each: RankedOutcome, total: number): RolloutBranchRecord {
  return {
    ...toBranch(rolloutId, each),
    // No pair is made of a run about which nobody knows whether it passed.
    objective_status: statusOf(each.outcome) ?? "unknown",
    objective_score: objectiveOf(each),
    rank: each.rank,
    total_score: total,
  };
}

function objectiveOf({ outcome }: RankedOutcome): 0 | 1 {
  return outcome.verdict === "fail" ? 0 : 1;
}

/**
 * The objective verdict on a run: what it reported. A run that reported nothing counts as passed if it has a score;
 * otherwise it has no verdict.
 */
export function statusOf({ verdict, score }: ScoredOutcome): ObjectiveStatus | undefined {
  return verdict ?? (score === null ? undefined : "pass");
}

/** Layer 1, as `rollout-wire rank` reads it; a score from 0 to 1 becomes `judge_score`. */
function toBranch(rolloutId: string, { outcome, branchIndex }: RankedOutcome): RolloutBranch {
  const status = statusOf(outcome);
  const judgeScore = (outcome.score ?? Number.NaN) * MAX_JUDGE_SCORE;
  return {
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: rolloutId,
    task: outcome.task,
    branch_index: branchIndex,
    temperature: UNKNOWN_TEMPERATURE,
    session_id: outcome.sessionId,
    tool_call_sequence: [...outcome.events],
    final_answer: outcome.answer,
    context: outcome.context,
    ...(status !== undefined && { objective_status: status }),
    ...(isJudgeScore(judgeScore) && { judge_score: judgeScore }),
  };
}

/** A branch of a rollout, with its index and rank. */
export interface RankedOutcome {
  readonly outcome: ScoredOutcome;
  readonly branchIndex: number;
  /** 1 is the best. */
  readonly rank: number;
}

/**
 * The runs of one rollout, best first: those that did not fail before failures, failures that returned before those that
 * threw, then by score, then by index. No score counts as 0.
 */
export function rankOutcomes(outcomes: readonly ScoredOutcome[]): RankedOutcome[] {
  return outcomes
    .map((outcome, branchIndex) => ({ outcome, branchIndex }))
    .sort(
      (a, b) =>
        Number(a.outcome.verdict === "fail") - Number(b.outcome.verdict === "fail") ||
        Number(a.outcome.threw) - Number(b.outcome.threw) ||
        (b.outcome.score ?? 0) - (a.outcome.score ?? 0) ||
        a.branchIndex - b.branchIndex,
    )
    .map((each, at) => ({ ...each, rank: at + 1 }));
}
