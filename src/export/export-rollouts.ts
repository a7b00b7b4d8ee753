import type { RolloutBranchRecord } from "#generated/index.js";
import { type ExportOptions, resolveExportOptions } from "./export-options.js";
import { groupByRollout } from "./group-by-rollout.js";
import { inBranchOrder } from "./in-branch-order.js";
import { readToolEvents } from "./read-tool-events.js";
import { PAIR_REASONS, type PairReason, selectPair } from "./select-pair.js";
import { type DpoOf, type PpoOf, type TargetId, targets } from "./targets/index.js";

export interface ExportRolloutsOptions<Id extends TargetId> extends Partial<ExportOptions> {
  readonly target: Id;
}

/** A tool event that is neither a call nor a result, and is therefore in no conversation. */
export interface UnreadableToolEvent {
  readonly rolloutId: string;
  readonly branchIndex: number;
  /** Index in the branch's `tool_call_sequence`. */
  readonly eventIndex: number;
}

export interface ExportedRollouts<Id extends TargetId> {
  /** One record per pair, in order of first appearance of the rollouts. */
  readonly dpo: readonly DpoOf<Id>[];
  /** One record per branch: rollouts in order of first appearance, branches by branch_index. */
  readonly ppo: readonly PpoOf<Id>[];
  /** Number of rollouts: `dpo` and `notPaired` together account for each. */
  readonly rollouts: number;
  /** How many rollouts gave no pair, by reason; only reasons that occurred, in their own order. */
  readonly notPaired: ReadonlyMap<PairReason, number>;
  /** Tool events that the records leave out; none when the target carries them as they came. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
}

/**
 * Exports ranked branches, of any number of rollouts and in any order, to DPO and PPO records of a
 * target. All in memory. All records bear the same `exportedAtMs`, now by default.
 *
 * The branches are taken to be valid, in structure and in semantics: of branches that disagree on
 * their rollout's task, or share a branch_index, nobody can say which pair is right.
 */
export function exportRollouts<Id extends TargetId>(
  branches: Iterable<RolloutBranchRecord>,
  { target: id, ...rest }: ExportRolloutsOptions<Id>,
): ExportedRollouts<Id> {
  const target = targets[id];
  const options = resolveExportOptions(rest);
  const rollouts = [...groupByRollout(branches).values()].map(inBranchOrder);
  const ordered = rollouts.flat();
  const selections = rollouts.map(selectPair);
  const pairs = selections.map(({ pair }) => pair).filter((pair) => pair !== undefined);
  return {
    dpo: pairs.map((pair) => target.toDpo(pair, options)),
    ppo: ordered.map((branch) => target.toPpo(branch, options)),
    rollouts: rollouts.length,
    notPaired: countReasons(selections.map(({ reason }) => reason)),
    unreadableToolEvents: target.readsToolEvents ? ordered.flatMap(findUnreadableToolEvents) : [],
  };
}

function countReasons(found: readonly (PairReason | undefined)[]): Map<PairReason, number> {
  const counts = PAIR_REASONS.map((reason): [PairReason, number] => [
    reason,
    found.filter((other) => other === reason).length,
  ]);
  return new Map(counts.filter(([, count]) => count > 0));
}

function findUnreadableToolEvents(branch: RolloutBranchRecord): UnreadableToolEvent[] {
  return readToolEvents(branch.tool_call_sequence).unreadable.map((eventIndex) => ({
    rolloutId: branch.rollout_id,
    branchIndex: branch.branch_index,
    eventIndex,
  }));
}
