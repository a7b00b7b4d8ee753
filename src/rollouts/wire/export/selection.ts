import TinyQueue from "tinyqueue";
import type { RolloutBranchRecord } from "#generated/index.js";
import { groupBy } from "../../../base/group-by.js";
import { sha256Hex } from "../../../base/sha256-hex.js";
import { BranchConversation } from "../conversation/conversation.js";
import { findDivergence } from "../conversation/divergence.js";
import { requireOneRollout } from "../scoring/rank.js";

/** Two branches of one rollout, the better one chosen. */
export interface PreferencePair {
  readonly chosen: RolloutBranchRecord;
  readonly rejected: RolloutBranchRecord;
}

/** Which branches of a rollout are paired: the best with the worst, neighbours by rank, or every two. */
export const PAIRINGS = ["best-worst", "adjacent", "all"] as const;

/** Which branches of a rollout are paired. */
export type Pairing = (typeof PAIRINGS)[number];

/** Why two branches are no pair, whatever they say. */
type ScoreReason = "no-preference" | "small-gap" | "unknown-objective";

/** Why the final answers of two branches are no pair. */
type AnswerReason = "identical-answers" | "empty-chosen" | "different-prompts";

/** Why a rollout yields no pair of final answers. */
export type PairReason = "single-branch" | ScoreReason | AnswerReason;

/** The pair of a rollout, or why there is none. */
export type PairSelection =
  | { readonly pair: PreferencePair; readonly reason?: never }
  | { readonly reason: PairReason; readonly pair?: never };

/**
 * Pairs the best rank with the worst rank of a rollout, or returns the reason why not. If two branches have the
 * same rank, the one with the lower branch_index is better. If they make no pair, others of the same total scores are
 * tried: see `pairsOf`. The order of `branches` does not matter.
 *
 * The reason is that of the first pair that was tried, and of it the first that applies, in this order:
 * - `single-branch`: fewer than two branches;
 * - `no-preference`: both sides have the same total score;
 * - `unknown-objective`: the objective verdict of a side is unknown;
 * - `identical-answers`: both sides have the same final answer (or both crashed);
 * - `empty-chosen`: the better side has no final answer;
 * - `different-prompts`: the task is not a user's, and users began the two sides differently.
 *
 * Throws TypeError if there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function selectPair(branches: readonly RolloutBranchRecord[]): PairSelection {
  requireRanked(branches);
  let first: ScoreReason | AnswerReason | undefined;
  for (const pair of pairsOf(inRankOrder(branches), "best-worst")) {
    const reason = findScoreReason(pair) ?? findAnswerReason(pair);
    if (reason === undefined) return { pair };
    first ??= reason;
  }
  return { reason: first ?? "single-branch" };
}

/** Most pairs of best and worst branches that are tried: those of 64 best and 64 worst ones. */
const MAX_TRIED = 4096;

/**
 * The pairs of branches sorted by `inRankOrder`: the largest differences of total scores first, then by rank. Pairs are
 * made when they are taken, because a rollout of thousands of branches has millions.
 *
 * Of `best-worst`, the first that can be used is meant: those of equal total scores follow, at most 4,096 in all, each
 * better branch by rank with each worse one from the last rank up.
 */
export function* pairsOf(
  ranked: readonly RolloutBranchRecord[],
  pairing: Pairing,
): Generator<PreferencePair> {
  if (pairing === "all") return yield* allPairs(ranked);
  const pairs = ranked
    .slice(1)
    .map((rejected, index) => ({ chosen: ranked[index] ?? rejected, rejected }));
  if (pairing === "adjacent") return yield* pairs.sort((one, two) => gapOf(two) - gapOf(one));
  let tried = 0;
  const worst = bestOf(ranked.toReversed());
  for (const chosen of bestOf(ranked)) {
    for (const rejected of worst) {
      if (chosen === rejected || tried === MAX_TRIED) return;
      tried += 1;
      yield { chosen, rejected };
      // All branches have one score.
      if (gapOf({ chosen, rejected }) === 0) return;
    }
  }
}

/** The first branch, and all others with its total score, in their order. */
export function bestOf(ranked: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  return ranked.filter(({ total_score: score }) => score === ranked[0]?.total_score);
}

/** The pairs of one better branch: the next one, and those after it. */
interface OpenPairs {
  readonly index: number;
  readonly next: PreferencePair;
  readonly others: Iterator<PreferencePair>;
}

function* allPairs(ranked: readonly RolloutBranchRecord[]): Generator<PreferencePair> {
  const entries = [...ranked.entries()];
  // In this order the differences to a better branch only become smaller.
  const worstFirst = entries.toSorted(([, one], [, other]) => one.total_score - other.total_score);
  function* pairsWith(index: number, chosen: RolloutBranchRecord): Generator<PreferencePair> {
    for (const [at, rejected] of worstFirst) if (at > index) yield { chosen, rejected };
  }
  const open = new TinyQueue<OpenPairs>(
    [],
    (one, other) => gapOf(other.next) - gapOf(one.next) || one.index - other.index,
  );
  for (const [index, chosen] of entries) {
    const others = pairsWith(index, chosen);
    const { value: next } = others.next();
    if (next) open.push({ index, next, others });
  }
  for (let largest = open.pop(); largest !== undefined; largest = open.pop()) {
    yield largest.next;
    const { value: next } = largest.others.next();
    if (next) open.push({ ...largest, next });
  }
}

function gapOf({ chosen, rejected }: PreferencePair): number {
  return chosen.total_score - rejected.total_score;
}

/** Why the scores of two branches make no preference. `minGap`: the least difference of total scores. */
export function findScoreReason(pair: PreferencePair, minGap = 0): ScoreReason | undefined {
  const { chosen, rejected } = pair;
  if (chosen.total_score === rejected.total_score) return "no-preference";
  if (minGap > 0 && gapOf(pair) < minGap) return "small-gap";
  const statuses = [chosen.objective_status, rejected.objective_status];
  return statuses.includes("unknown") ? "unknown-objective" : undefined;
}

/** Why the final answers of two branches make no preference. */
export function findAnswerReason({ chosen, rejected }: PreferencePair): AnswerReason | undefined {
  if (chosen.final_answer === rejected.final_answer) return "identical-answers";
  if (chosen.final_answer === "") return "empty-chosen";
  return isOtherwiseBegun(chosen, rejected) ? "different-prompts" : undefined;
}

/** Whether the task is not a user's, and what the model was given before its first turn differs. */
function isOtherwiseBegun(...sides: readonly [RolloutBranchRecord, RolloutBranchRecord]): boolean {
  if (sides.every(({ task_role: role = "user" }) => role === "user")) return false;
  const [one, other] = sides.map((side) => {
    const { messages, promptEnd } = new BranchConversation(side);
    return messages.slice(0, promptEnd);
  });
  const shared = findDivergence(one ?? [], other ?? []);
  return shared < Math.max(one?.length ?? 0, other?.length ?? 0);
}

/**
 * Tells whether the best and the worst branch of a rollout are certainly among its ranked ones: no rank shows that
 * others are missing, or only `lost` others that are neither the first nor the last.
 */
export function isCertain(ranked: readonly RolloutBranchRecord[], lost: number): boolean {
  const [best, worst] = [ranked[0]?.rank, ranked.at(-1)?.rank];
  const count = ranked.length + lost;
  return best === 1 && worst !== undefined && (lost === 0 ? worst <= count : worst === count);
}

/** Why a branch is no demonstration. */
export type DemonstrationReason = "unknown-objective" | "not-solved" | "empty-answer";

/** The branch to imitate, or why there is none. */
export type DemonstrationSelection =
  | { readonly branch: RolloutBranchRecord; readonly reason?: never }
  | { readonly reason: DemonstrationReason; readonly branch?: never };

/**
 * Returns the branch that a model may learn by imitation, or the reason why there is none. It is the best
 * branch by rank (on a tie, the one with the lower branch_index), or else the first other one of its total score, for
 * which every objective verifier passed and which has an answer or ends in a call.
 *
 * Throws TypeError if there are no branches or if they belong to several rollouts.
 */
export function selectDemonstration(
  branches: readonly RolloutBranchRecord[],
): DemonstrationSelection {
  requireOneRollout(branches);
  const best = bestOf(inRankOrder(branches));
  const reasons = best.map((branch) =>
    findDemonstrationReason(branch, new BranchConversation(branch, { openEnd: true })),
  );
  const branch = best[reasons.indexOf(undefined)];
  if (branch !== undefined) return { branch };
  return { reason: reasons[0] ?? "unknown-objective" };
}

/** Why a branch is not worth imitating. */
export function findDemonstrationReason(
  { objective_status: status, objective_score: score, final_answer: answer }: RolloutBranchRecord,
  conversation: BranchConversation,
): DemonstrationReason | undefined {
  if (status === "unknown") return "unknown-objective";
  if (score === 0) return "not-solved";
  return answer === "" && !conversation.endsInCalls ? "empty-answer" : undefined;
}

/** Position of an answer in a comparison of two. */
export type Side = "A" | "B";

/**
 * The side of a rollout's chosen answer, A or B with equal probability, so that no model learns the position
 * instead of the answer. It is a bit of the SHA-256 of seed and rollout_id, so it depends on neither the
 * machine nor the other exported rollouts.
 */
export function selectSide(seed: number, rolloutId: string): Side {
  const byte = Number.parseInt(sha256Hex(`${seed}\n${rolloutId}`).slice(0, 2), 16);
  return byte % 2 === 0 ? "A" : "B";
}

/**
 * Throws TypeError unless `branches` are ranked and belong to one rollout. The types require this too, but a
 * JavaScript caller would otherwise get records without a reward and no error.
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
 * Returns the branches of one rollout in ascending order of branch_index, as a new array. Throws TypeError if
 * there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function inBranchOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  requireRanked(branches);
  return branches.toSorted((a, b) => a.branch_index - b.branch_index);
}

/** Returns the branches from best to worst: by total score, ties by branch_index. A new array. */
export function inScoreOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  return branches.toSorted(
    (a, b) => b.total_score - a.total_score || a.branch_index - b.branch_index,
  );
}

/** Returns the branches from best to worst: by rank, ties by branch_index. A new array. */
export function inRankOrder(branches: readonly RolloutBranchRecord[]): RolloutBranchRecord[] {
  return branches.toSorted((a, b) => a.rank - b.rank || a.branch_index - b.branch_index);
}

/**
 * Groups records by rollout_id. Rollouts are in order of first appearance, and the records of each in their
 * original order; they need not be adjacent.
 */
export function groupByRollout<Item extends { readonly rollout_id: string }>(
  records: Iterable<Item>,
): Map<string, Item[]> {
  return groupBy(records, ({ rollout_id: id }) => id);
}
