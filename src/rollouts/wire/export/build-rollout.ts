import type { RolloutBranchRecord } from "#generated/index.js";
import { BranchConversation } from "../conversation/conversation.js";
import type { LearnedMessages } from "../conversation/obstacles.js";
import { countLost } from "../scoring/lost-branches.js";
import { type CommonPrompt, compareTurns, type Preference } from "./comparison.js";
import type { OmissionReason } from "./reasons.js";
import {
  bestOf,
  findAnswerReason,
  findDemonstrationReason,
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
  readonly commonPrompt?: CommonPrompt | undefined;
}

/** All records that a target builds from one rollout. */
export interface BuiltRollout {
  /** Records for each file, in order of branch_index. */
  readonly records: Readonly<Record<OutputKind, readonly object[]>>;
  /** One for each record in `records.dpo`. */
  readonly pairs: readonly BuiltPair[];
  /** Why a file that takes one record per rollout has none of this one. */
  readonly omitted: Readonly<Partial<Record<OutputKind, OmissionReason>>>;
  /** Number of branches passed over for one of equal total score in a pair or demonstration. */
  readonly passedOver: number;
  /** Number of branches that give no reward record, where the target writes any. */
  readonly unrewarded: number;
  /** Why candidates of equal scores were not used: for the pair of best and worst, and for the demonstration. */
  readonly tried: readonly Hindrance[];
  /** Tool events that the records omit. Empty if the target copies all tool events unchanged. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
  /** Number of branches that call tools and declare none. 0 if the target has no place for tools. */
  readonly missingTools: number;
}

/**
 * Builds the records of one rollout: its pairs, at most one demonstration, and one reward record per branch whose
 * verdict is known.
 * `lost` is the number of its branches that are not given, because they were left out as invalid, beside those that
 * earlier commands left out. Throws
 * TypeError if there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function buildRollout(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
  lost = 0,
): BuiltRollout {
  const ordered = inBranchOrder(branches);
  const rollout = new Rollout(ordered, target);
  const ranked = rankRollout(ordered, options, lost + countLost(ordered));
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
    passedOver: dpo.passedOver + sft.passedOver,
    unrewarded: target.toPpo === undefined ? 0 : ordered.length - ppo.records.length,
    tried: [...dpo.tried, ...sft.tried],
    unreadableToolEvents: target.readsToolEvents ? findUnreadableToolEvents(ordered, rollout) : [],
    missingTools: target.readsToolEvents ? rollout.count(({ lacksTools }) => lacksTools) : 0,
  };
}

/** The conversations of one rollout, which all of its records share. */
class Rollout {
  readonly #conversations: ReadonlyMap<RolloutBranchRecord, BranchConversation>;

  constructor(branches: readonly RolloutBranchRecord[], target: ExportTarget) {
    const options = conversationOptions(target);
    this.#conversations = new Map(
      branches.map((branch) => [branch, new BranchConversation(branch, options)]),
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

/** How the target reads a conversation. */
export function conversationOptions({
  readsReasoning,
  endsInAnswer = false,
}: Pick<ExportTarget, "readsReasoning" | "endsInAnswer">) {
  return { reasoning: readsReasoning, openEnd: !endsInAnswer };
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
  readonly passedOver: number;
  readonly tried: readonly Hindrance[];
  readonly reason?: OmissionReason | undefined;
}

const NOTHING: Built = { records: [], pairs: [], passedOver: 0, tried: [] };
const INCOMPLETE: Built = { ...NOTHING, reason: "incomplete-rollout" };

/** What keeps a pair or a branch from being used. */
export interface Hindrance {
  /** The branches by their `branch_index`: of a pair, the better one first. */
  readonly branches: readonly number[];
  readonly reason: OmissionReason;
  /** Whether it is the target that cannot take it. */
  readonly isObstacle: boolean;
}

/**
 * Why none of several candidates of equal scores is used: the reason of the first, but for several best branches of which the
 * target cannot take one. Undefined without candidates.
 */
function joinHindrances(tried: readonly Hindrance[]): OmissionReason | undefined {
  const best = new Set(tried.map(({ branches }) => branches[0]));
  if (best.size > 1 && tried.some(({ isObstacle }) => isObstacle)) return "best-unusable";
  return tried[0]?.reason;
}

/** The records of the pairs with the largest differences of scores, or why the first of them has none. */
function buildPairs(
  ranked: readonly RolloutBranchRecord[],
  rollout: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toDpo === undefined && target.toPreference === undefined) return NOTHING;
  const isOne = options.pairing === "best-worst";
  const records: object[] = [];
  const pairs: BuiltPair[] = [];
  const tried: Hindrance[] = [];
  for (const pair of pairsOf(ranked, options.pairing)) {
    if (records.length === (isOne ? 1 : options.maxPairs)) break;
    const { record, hindrance, preference } = buildPair(pair, rollout, target, options);
    if (hindrance !== undefined && (isOne || tried.length === 0)) tried.push(hindrance);
    if (record === undefined) continue;
    const { chosen, rejected } = pair;
    records.push(record);
    pairs.push({
      chosen: chosen.branch_index,
      rejected: rejected.branch_index,
      scores: [chosen.total_score, rejected.total_score],
      divergenceTurn: preference?.divergenceTurn,
      commonPrompt: preference?.commonPrompt,
    });
  }
  const [made] = pairs;
  if (made === undefined) {
    return { ...NOTHING, tried, reason: joinHindrances(tried) ?? "single-branch" };
  }
  const passedOver = isOne
    ? rankAmongEqual(ranked, made.chosen) + rankAmongEqual(ranked.toReversed(), made.rejected)
    : 0;
  return { records, pairs, passedOver, tried };
}

/** Number of branches of the first one's total score before the branch. */
function rankAmongEqual(ranked: readonly RolloutBranchRecord[], branch: number): number {
  return bestOf(ranked).findIndex(({ branch_index: index }) => index === branch);
}

interface PairOutcome {
  readonly record?: object | undefined;
  readonly preference?: Preference;
  readonly hindrance?: Hindrance;
}

function buildPair(
  pair: PreferencePair,
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): PairOutcome {
  const branches = [pair.chosen.branch_index, pair.rejected.branch_index];
  const hinder = (reason: OmissionReason, isObstacle = false): PairOutcome => ({
    hindrance: { branches, reason, isObstacle },
  });
  const scoreReason = findScoreReason(pair, options.minGap);
  if (scoreReason !== undefined) return hinder(scoreReason);
  if (target.toPreference === undefined) {
    const answerReason = findAnswerReason(pair);
    if (answerReason !== undefined) return hinder(answerReason);
    const conversation = conversationOf(pair.chosen);
    const obstacle = target.findUnrewarded?.(pair.chosen, conversation);
    if (obstacle !== undefined) return hinder(obstacle, true);
    return { record: target.toDpo?.(pair, options, conversation) };
  }
  const { preference, reason } = compareTurns(pair, options.pairs, conversationOf);
  if (preference === undefined) return hinder(reason);
  const learned = [preference.chosenTurn, preference.rejectedTurn];
  const { prompt: context, tools } = preference;
  const obstacle = target.findObstacle?.({ context, learned, tools });
  if (obstacle !== undefined) return hinder(obstacle, true);
  return { record: target.toPreference(preference, options), preference };
}

/** A record of every branch that has a verdict and that the target can take, or why the first of them has none. */
function buildRewards(
  branches: readonly RolloutBranchRecord[],
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toPpo === undefined) return NOTHING;
  const records: object[] = [];
  let first: OmissionReason | undefined;
  for (const branch of branches) {
    const conversation = conversationOf(branch);
    // The reward of a run that has no verdict says nothing of the model.
    const isUnknown = branch.objective_status === "unknown";
    const reason = isUnknown ? "unknown-objective" : target.findUnrewarded?.(branch, conversation);
    if (reason === undefined) records.push(target.toPpo(branch, options, conversation));
    first ??= reason;
  }
  return records.length > 0 ? { ...NOTHING, records } : { ...NOTHING, reason: first };
}

/** The record of the best branch, or of the first one of its total score that the target can take. */
function buildDemonstration(
  ranked: readonly RolloutBranchRecord[],
  { conversationOf }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  const { toSft, findObstacle } = target;
  if (toSft === undefined) return NOTHING;
  const tried: Hindrance[] = [];
  for (const branch of bestOf(ranked)) {
    const conversation = conversationOf(branch);
    const reason = findDemonstrationReason(branch, conversation);
    const obstacle = reason ?? findObstacle?.(toLearnedMessages(conversation));
    if (obstacle === undefined) {
      const records = [toSft(branch, options, conversation)];
      return { ...NOTHING, records, passedOver: tried.length, tried };
    }
    const branches = [branch.branch_index];
    tried.push({ branches, reason: obstacle, isObstacle: reason === undefined });
  }
  return { ...NOTHING, tried, reason: joinHindrances(tried) };
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
