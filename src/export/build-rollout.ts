import type { RolloutBranchRecord } from "#generated/index.js";
import { CONVERSATION_OBSTACLES, type ConversationObstacle } from "./conversation/obstacles.js";
import { buildingRollout, readEvents } from "./conversation/turns.js";
import {
  DEMONSTRATION_REASONS,
  type DemonstrationReason,
  inBranchOrder,
  PAIR_REASONS,
  type PairReason,
  selectDemonstration,
  selectPair,
} from "./selection.js";
import type { ExportOptions, ExportTarget, OutputKind } from "./targets/target.js";

/** Every reason why a rollout has no record in a file, in the order in which they are listed. */
export const OMISSION_REASONS = [
  ...new Set([...PAIR_REASONS, ...DEMONSTRATION_REASONS, ...CONVERSATION_OBSTACLES]),
] as const;

export type OmissionReason = PairReason | DemonstrationReason | ConversationObstacle;

/** A tool event that is neither a call nor a result, and is therefore in no conversation. */
export interface UnreadableToolEvent {
  readonly rolloutId: string;
  readonly branchIndex: number;
  /** Index in the branch's `tool_call_sequence`. */
  readonly eventIndex: number;
}

/** All that a target makes of one rollout. */
export interface BuiltRollout {
  /** Records for each file; branches by branch_index. */
  readonly records: Readonly<Record<OutputKind, readonly object[]>>;
  /** Why a file that takes one record per rollout has none of this one. */
  readonly omitted: Readonly<Partial<Record<OutputKind, OmissionReason>>>;
  /** Tool events that the records leave out; none when the target carries them as they came. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
}

/**
 * Builds the records of one rollout: at most one pair and one demonstration, and one reward record
 * per branch. Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function buildRollout(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
): BuiltRollout {
  return buildingRollout(() => buildOrdered(inBranchOrder(branches), target, options));
}

function buildOrdered(
  ordered: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
): BuiltRollout {
  const dpo = buildPair(ordered, target, options);
  const sft = buildDemonstration(ordered, target, options);
  return {
    records: {
      dpo: dpo.records,
      ppo: ordered.flatMap((branch) => target.toPpo?.(branch, options) ?? []),
      sft: sft.records,
    },
    omitted: { ...(dpo.reason && { dpo: dpo.reason }), ...(sft.reason && { sft: sft.reason }) },
    unreadableToolEvents: target.readsToolEvents ? ordered.flatMap(findUnreadableToolEvents) : [],
  };
}

interface Built {
  readonly records: readonly object[];
  readonly reason?: OmissionReason | undefined;
}

const NOTHING: Built = { records: [] };

function buildPair(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toDpo === undefined) return NOTHING;
  const { pair, reason } = selectPair(branches);
  if (pair === undefined) return { records: [], reason };
  const obstacle = target.findObstacle?.(pair.chosen);
  return obstacle ? { records: [], reason: obstacle } : { records: [target.toDpo(pair, options)] };
}

function buildDemonstration(
  branches: readonly RolloutBranchRecord[],
  target: ExportTarget,
  options: ExportOptions,
): Built {
  if (target.toSft === undefined) return NOTHING;
  const { branch, reason } = selectDemonstration(branches);
  if (branch === undefined) return { records: [], reason };
  const obstacle = target.findObstacle?.(branch);
  return obstacle
    ? { records: [], reason: obstacle }
    : { records: [target.toSft(branch, options)] };
}

function findUnreadableToolEvents(branch: RolloutBranchRecord): UnreadableToolEvent[] {
  return readEvents(branch.tool_call_sequence).unreadable.map((eventIndex) => ({
    rolloutId: branch.rollout_id,
    branchIndex: branch.branch_index,
    eventIndex,
  }));
}
