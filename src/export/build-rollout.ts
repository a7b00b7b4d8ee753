import type { RolloutBranchRecord } from "#generated/index.js";
import { BranchConversation } from "./conversation/conversation.js";
import { CONVERSATION_OBSTACLES, type ConversationObstacle } from "./conversation/obstacles.js";
import {
  DEMONSTRATION_REASONS,
  type DemonstrationReason,
  demonstrationOf,
  inBranchOrder,
  inRankOrder,
  PAIR_REASONS,
  type PairReason,
  pairOf,
} from "./selection.js";
import type { ExportOptions, ExportTarget, OutputKind } from "./targets/target.js";

/** All reasons why a rollout has no record in a file, in report order. */
export const OMISSION_REASONS = [
  ...new Set([...PAIR_REASONS, ...DEMONSTRATION_REASONS, ...CONVERSATION_OBSTACLES]),
] as const;

export type OmissionReason = PairReason | DemonstrationReason | ConversationObstacle;

/** A tool event that is neither a call nor a result, so that no conversation contains it. */
export interface UnreadableToolEvent {
  readonly rolloutId: string;
  readonly branchIndex: number;
  /** Index in the branch's `tool_call_sequence`. */
  readonly eventIndex: number;
}

/** All records that a target builds from one rollout. */
export interface BuiltRollout {
  /** Records for each file, in order of branch_index. */
  readonly records: Readonly<Record<OutputKind, readonly object[]>>;
  /** Why a file that takes one record per rollout has none of this one. */
  readonly omitted: Readonly<Partial<Record<OutputKind, OmissionReason>>>;
  /** Tool events that the records omit. Empty if the target copies all tool events unchanged. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
}

/**
 * Builds the records of one rollout: at most one pair and one demonstration, and one reward record per branch.
 * Throws TypeError if there are no branches, if they belong to several rollouts, or if they are not ranked.
 */
export function buildRollout(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
): BuiltRollout {
  const ordered = inBranchOrder(branches);
  const rollout: Rollout = {
    ranked: inRankOrder(ordered),
    conversations: new Map(ordered.map((branch) => [branch, new BranchConversation(branch)])),
  };
  const dpo = buildPair(rollout, target, options);
  const sft = buildDemonstration(rollout, target, options);
  return {
    records: {
      dpo: dpo.records,
      ppo: ordered.flatMap(
        (branch) => target.toPpo?.(branch, options, rollout.conversations.get(branch)) ?? [],
      ),
      sft: sft.records,
    },
    omitted: { ...(dpo.reason && { dpo: dpo.reason }), ...(sft.reason && { sft: sft.reason }) },
    unreadableToolEvents: target.readsToolEvents ? findUnreadableToolEvents(rollout) : [],
  };
}

/** The validated branches of one rollout, with the conversations that all of its records share. */
interface Rollout {
  /** Best first. */
  readonly ranked: readonly RolloutBranchRecord[];
  /** By branch_index. */
  readonly conversations: ReadonlyMap<RolloutBranchRecord, BranchConversation>;
}

interface Built {
  readonly records: readonly object[];
  readonly reason?: OmissionReason | undefined;
}

const NOTHING: Built = { records: [] };

function buildPair(
  { ranked, conversations }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toDpo === undefined) return NOTHING;
  const { pair, reason } = pairOf(ranked);
  if (pair === undefined) return { records: [], reason };
  const conversation = conversations.get(pair.chosen);
  const obstacle = target.findObstacle?.(pair.chosen, conversation);
  if (obstacle !== undefined) return { records: [], reason: obstacle };
  return { records: [target.toDpo(pair, options, conversation)] };
}

function buildDemonstration(
  { ranked, conversations }: Rollout,
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toSft === undefined) return NOTHING;
  const { branch, reason } = demonstrationOf(ranked);
  if (branch === undefined) return { records: [], reason };
  const conversation = conversations.get(branch);
  const obstacle = target.findObstacle?.(branch, conversation);
  if (obstacle !== undefined) return { records: [], reason: obstacle };
  return { records: [target.toSft(branch, options, conversation)] };
}

function findUnreadableToolEvents({ conversations }: Rollout): UnreadableToolEvent[] {
  return [...conversations].flatMap(([branch, { unreadableEvents }]) =>
    unreadableEvents.map((eventIndex) => ({
      rolloutId: branch.rollout_id,
      branchIndex: branch.branch_index,
      eventIndex,
    })),
  );
}
