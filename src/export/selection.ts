import { createHash } from "node:crypto";
import type { RolloutBranchRecord } from "#generated/index.js";
import { requireOneRollout } from "../scoring/rank.js";

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
 * rank, the one with the lower branch_index is the better. The order of `branches` does not matter.
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
  return pairOf(inRankOrder(branches));
}

/** As `selectPair`, of branches that were checked and that `inRankOrder` sorted. */
export function pairOf(ranked: readonly RolloutBranchRecord[]): PairSelection {
  const chosen = ranked.at(0);
  const rejected = ranked.slice(1).at(-1);
  if (chosen === undefined || rejected === undefined) return { reason: "single-branch" };
  const pair = { chosen, rejected };
  const reason = findReason(pair);
  return reason === undefined ? { pair } : { reason };
}

function findReason({ chosen, rejected }: PreferencePair): PairReason | undefined {
  if (chosen.total_score === rejected.total_score) return "no-preference";
  if (chosen.final_answer === rejected.final_answer) return "identical-answers";
  if (chosen.final_answer === "") return "empty-chosen";
  const statuses = [chosen.objective_status, rejected.objective_status];
  return statuses.includes("unknown") ? "unknown-objective" : undefined;
}

/** Why a rollout gives no demonstration, in the order in which the reasons are tested. */
export const DEMONSTRATION_REASONS = ["unknown-objective", "not-solved", "empty-answer"] as const;

export type DemonstrationReason = (typeof DEMONSTRATION_REASONS)[number];

export type DemonstrationSelection =
  | { readonly branch: RolloutBranchRecord; readonly reason?: never }
  | { readonly reason: DemonstrationReason; readonly branch?: never };

/**
 * The branch of a rollout that a model may learn by imitation, or the reason why there is none: the
 * best by rank (the lower branch_index of two), if every objective verifier passed and it answered.
 *
 * Throws TypeError when the branches are none, or not of one rollout.
 */
export function selectDemonstration(
  branches: readonly RolloutBranchRecord[],
): DemonstrationSelection {
  requireOneRollout(branches);
  return demonstrationOf(inRankOrder(branches));
}

/** As `selectDemonstration`, of branches that were checked and that `inRankOrder` sorted. */
export function demonstrationOf(ranked: readonly RolloutBranchRecord[]): DemonstrationSelection {
  const [best] = ranked;
  if (best === undefined || best.objective_status === "unknown") {
    return { reason: "unknown-objective" };
  }
  if (best.objective_score === 0) return { reason: "not-solved" };
  return best.final_answer === "" ? { reason: "empty-answer" } : { branch: best };
}

/** Position of an answer in a comparison of two. */
export type Side = "A" | "B";

/**
 * The side of a rollout's chosen answer, A or B with even odds, so that no model learns the position
 * instead of the answer. It is a bit of SHA-256 over seed and rollout_id: the same on every machine,
 * whatever else is exported and in what order.
 */
export function selectSide(seed: number, rolloutId: string): Side {
  const [byte = 0] = createHash("sha256").update(`${seed}\n${rolloutId}`, "utf8").digest();
  return byte % 2 === 0 ? "A" : "B";
}

/**
 * Throws TypeError unless `branches` are those of one rollout, and ranked. The types require it too, but
 * a caller in JavaScript would otherwise get records without a reward, and no error.
 */
function requireRanked(branches: readonly RolloutBranchRecord[]): void {
  requireOneRollout(branches);
  const unranked = branches.find(({ total_score }) => total_score === undefined);
  if (unranked === undefined) return;
  const { rollout_id: id, branch_index: index } = unranked;
  throw new TypeError(
    `branch ${index} of rollout ${JSON.stringify(id)} has no total_score: rank the branches first (rankBranches)`,
  );
}

/**
 * The branches of one rollout by branch_index, ascending; a new array. Throws TypeError when they are
 * none, not of one rollout, or not ranked.
 */
export function inBranchOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  requireRanked(branches);
  return branches.toSorted((a, b) => a.branch_index - b.branch_index);
}

/** The branches from best to worst: by rank, ties by branch_index; a new array. */
export function inRankOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  return branches.toSorted((a, b) => a.rank - b.rank || a.branch_index - b.branch_index);
}

/**
 * Groups records by rollout_id. Rollouts come in the order in which they first appear, the records of
 * each in the order in which they came; they need not be adjacent.
 */
export function groupByRollout<Item extends { readonly rollout_id: string }>(
  records: Iterable<Item>,
): Map<string, Item[]> {
  const rollouts = new Map<string, Item[]>();
  for (const record of records) {
    const group = rollouts.get(record.rollout_id);
    if (group === undefined) rollouts.set(record.rollout_id, [record]);
    else group.push(record);
  }
  return rollouts;
}
