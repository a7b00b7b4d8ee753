import type { RolloutBranchRecord } from "#generated/index.js";
import { requireRanked } from "./require-ranked.js";

/** Best and worst branch of one rollout. */
export interface PreferencePair {
  readonly chosen: RolloutBranchRecord;
  readonly rejected: RolloutBranchRecord;
}

/** Why a rollout gives no pair, in the order in which the reasons are tested. */
export const PAIR_REASONS = [
  "single-branch",
  "no-preference",
  "identical-answers",
  "empty-chosen",
  "unknown-objective",
] as const;

export type PairReason = (typeof PAIR_REASONS)[number];

export type PairSelection =
  | { readonly pair: PreferencePair; readonly reason?: never }
  | { readonly reason: PairReason; readonly pair?: never };

/**
 * Best rank against worst rank within a rollout, or the reason why not. Of branches with the same
 * rank the one with the lower branch_index is the better; the order of `branches` does not matter.
 *
 * The first reason that holds is given, in this order:
 * 1. `single-branch`: fewer than two branches;
 * 2. `no-preference`: both sides have the same total score;
 * 3. `identical-answers`: both sides gave the same final answer (two crashes also);
 * 4. `empty-chosen`: the better side gave no final answer;
 * 5. `unknown-objective`: the objective verdict of a side is unknown.
 *
 * Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function selectPair(branches: readonly RolloutBranchRecord[]): PairSelection {
  requireRanked(branches);
  const ranked = branches.toSorted((a, b) => a.rank - b.rank || a.branch_index - b.branch_index);
  const chosen = ranked.at(0);
  const rejected = ranked.slice(1).at(-1);
  if (chosen === undefined || rejected === undefined) return { reason: "single-branch" };
  const pair = { chosen, rejected };
  const reason = findObstacle(pair);
  return reason === undefined ? { pair } : { reason };
}

function findObstacle({ chosen, rejected }: PreferencePair): PairReason | undefined {
  if (chosen.total_score === rejected.total_score) return "no-preference";
  if (chosen.final_answer === rejected.final_answer) return "identical-answers";
  if (chosen.final_answer === "") return "empty-chosen";
  const statuses = [chosen.objective_status, rejected.objective_status];
  return statuses.includes("unknown") ? "unknown-objective" : undefined;
}
