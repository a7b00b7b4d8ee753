import type { RolloutBranchRecord } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import type { LearnedMessages } from "../conversation/obstacles.js";
import { compareTurns } from "./comparison.js";
import type { OmissionReason } from "./reasons.js";
import {
  demonstrationOf,
  findAnswerReason,
  findScoreReason,
  inBranchOrder,
  inRankOrder,
  inScoreOrder,
  isCertain,
  type PreferencePair,
  pairsOf,
} from "./selection.js";
import type { ExportOptions, ExportTarget, OutputKind } from "./targets/target.js";

/** A tool event that is neither a call nor a result, so that no conversation contains it. */
export interface UnreadableToolEvent {
  readonly rolloutId: string;
  readonly branchIndex: number;
  /** Index in the branch's `tool_call_sequence`. */
  readonly eventIndex: number;
}

/** Which branches a record of a pair is about. */
export interface BuiltPair {
  readonly chosen: number;
  readonly rejected: number;
  readonly scores: readonly [chosen: number, rejected: number];
  /** See `Preference`; undefined for a pair of whole branches. */
  readonly divergenceTurn?: number | undefined;
}

/** All records that a target builds from one rollout. */
export interface BuiltRollout {
  /** Records for each file, in order of branch_index. */
  readonly records: Readonly<Record<OutputKind, readonly object[]>>;
  /** One for each record in `records.dpo`. */
  readonly pairs: readonly BuiltPair[];
  /** Why a file that takes one record per rollout has none of this one. */
  readonly omitted: Readonly<Partial<Record<OutputKind, OmissionReason>>>;
  /** Tool events that the records omit. Empty if the target copies all tool events unchanged. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
  /** Number of branches that call tools and declare none. 0 if the target has no place for tools. */
  readonly missingTools: number;
}

/**
 * Builds the records of one rollout: its pairs, at most one demonstration, and one reward record per branch.
 * `lost` is the number of its branches that are not given, because they were left out as invalid. Throws
 * TypeError if there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function buildRollout(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
  lost = 0,
): BuiltRollout {
  const ordered = inBranchOrder(branches);
  const rollout = new Rollout(ordered, target.readsReasoning);
  const ranked = rankRollout(ordered, options, lost);
  const dpo = ranked === undefined ? INCOMPLETE : buildPairs(ranked, rollout, target, options);
  const ppo = buildRewards(ordered, rollout, target, options);
  const sft =
    ranked === undefined ? INCOMPLETE : buildDemonstration(ranked, rollout, target, options);
  return {
    records: {
      dpo: dpo.records,
      ppo: ppo.records,
      sft: sft.records,
    },
    pairs: dpo.pairs,
    omitted: {
      ...(dpo.reason && { dpo: dpo.reason }),
      ...(ppo.reason && { ppo: ppo.reason }),
      ...(sft.reason && { sft: sft.reason }),
    },
    unreadableToolEvents: target.readsToolEvents ? findUnreadableToolEvents(ordered, rollout) : [],
    missingTools: target.readsToolEvents ? rollout.count(({ lacksTools }) => lacksTools) : 0,
  };
}

/** The conversations of one rollout, which all of its records share. */
class Rollout {
  readonly #conversations: ReadonlyMap<RolloutBranchRecord, BranchConversation>;

  constructor(branches: readonly RolloutBranchRecord[], reasoning: boolean) {
    this.#conversations = new Map(
      branches.map((branch) => [branch, new BranchConversation(branch, { reasoning })]),
    );
  }

  readonly conversationOf = (branch: RolloutBranchRecord): BranchConversation => {
    const known = this.#conversations.get(branch);
    if (known === undefined) throw new RangeError("the branch is not one of the rollout");
    return known;
  };

  count(isCounted: (conversation: BranchConversation) => boolean): number {
    return [...this.#conversations.values()].filter(isCounted).length;
  }
}

/** The branches, best first; undefined if branches were lost that may be the best or the worst. */
function rankRollout(
  branches: readonly RolloutBranchRecord[],
  { rankAgain }: ExportOptions,
  lost: number,
): RolloutBranchRecord[] | undefined {
  const ranked = inRankOrder(branches);
  if (isCertain(ranked, lost)) return ranked;
  return rankAgain ? inScoreOrder(branches) : undefined;
}

interface Built {
  readonly records: readonly object[];
  readonly pairs: readonly BuiltPair[];
  readonly reason?: OmissionReason | undefined;
}

const NOTHING: Built = { records: [], pairs: [] };
const INCOMPLETE: Built = { ...NOTHING, reason: "incomplete-rollout" };

/** The records of the pairs with the largest differences of scores, or why the first of them has none. */
function buildPairs(
  ranked: readonly RolloutBranchRecord[],
  rollout: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toDpo === undefined && target.toPreference === undefined) return NOTHING;
  const records: object[] = [];
  const pairs: BuiltPair[] = [];
  let first: OmissionReason | undefined;
  for (const pair of pairsOf(ranked, options.pairing)) {
    if (records.length === options.maxPairs) break;
    const { record, divergenceTurn, reason } = buildPair(pair, rollout, target, options);
    first ??= reason;
    if (record === undefined) continue;
    const { chosen, rejected } = pair;
    records.push(record);
    pairs.push({
      chosen: chosen.branch_index,
      rejected: rejected.branch_index,
      scores: [chosen.total_score, rejected.total_score],
      divergenceTurn,
    });
  }
  if (records.length > 0) return { records, pairs };
  return { ...NOTHING, reason: first ?? "single-branch" };
}

interface PairOutcome {
  readonly record?: object | undefined;
  readonly divergenceTurn?: number;
  readonly reason?: OmissionReason | undefined;
}

function buildPair(
  pair: PreferencePair,
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): PairOutcome {
  const scoreReason = findScoreReason(pair, options.minGap);
  if (scoreReason !== undefined) return { reason: scoreReason };
  if (target.toPreference === undefined) {
    const answerReason = findAnswerReason(pair);
    if (answerReason !== undefined) return { reason: answerReason };
    return { record: target.toDpo?.(pair, options, conversationOf(pair.chosen)) };
  }
  const { preference, reason } = compareTurns(pair, options.pairs, conversationOf);
  if (preference === undefined) return { reason };
  const learned = [preference.chosenTurn, preference.rejectedTurn];
  const { prompt: context, tools } = preference;
  const obstacle = target.findObstacle?.({ context, learned, tools });
  if (obstacle !== undefined) return { reason: obstacle };
  const { divergenceTurn } = preference;
  return { record: target.toPreference(preference, options), divergenceTurn };
}

/** A record of every branch that has a reward, or why the first of them has none. */
function buildRewards(
  branches: readonly RolloutBranchRecord[],
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  const records: object[] = [];
  let first: OmissionReason | undefined;
  for (const branch of branches) {
    const conversation = conversationOf(branch);
    const reason = target.findUnrewarded?.(branch, conversation);
    const record = reason === undefined && target.toPpo?.(branch, options, conversation);
    if (record) records.push(record);
    first ??= reason;
  }
  return records.length > 0 ? { ...NOTHING, records } : { ...NOTHING, reason: first };
}

function buildDemonstration(
  ranked: readonly RolloutBranchRecord[],
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toSft === undefined) return NOTHING;
  const { branch, reason } = demonstrationOf(ranked);
  if (branch === undefined) return { ...NOTHING, reason };
  const conversation = conversationOf(branch);
  const obstacle = target.findObstacle?.(toLearnedMessages(conversation));
  if (obstacle !== undefined) return { ...NOTHING, reason: obstacle };
  return { ...NOTHING, records: [target.toSft(branch, options, conversation)] };
}

/** In a demonstration, the model learns every turn of its own. */
function toLearnedMessages({ messages, tools }: BranchConversation): LearnedMessages {
  const learned = messages.filter(({ role }) => role === "assistant");
  return { context: messages, learned, tools };
}

function findUnreadableToolEvents(
  branches: readonly RolloutBranchRecord[],
  { conversationOf }: Rollout,
): UnreadableToolEvent[] {
  return branches.flatMap((branch) =>
    conversationOf(branch).unreadableEvents.map((eventIndex) => ({
      rolloutId: branch.rollout_id,
      branchIndex: branch.branch_index,
      eventIndex,
    })),
  );
}
