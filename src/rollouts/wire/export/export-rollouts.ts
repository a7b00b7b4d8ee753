import type { RolloutBranchRecord } from "#generated/index.js";
import { buildRollout, type UnreadableToolEvent } from "./build-rollout.js";
import { OMISSION_REASONS, type OmissionReason } from "./reasons.js";
import { groupByRollout } from "./selection.js";
import { type RecordOf, type TargetId, targets } from "./targets/index.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

export interface ExportRolloutsOptions<Id extends TargetId> extends Partial<ExportOptions> {
  readonly target: Id;
}

export interface ExportedRollouts<Dpo extends object, Ppo extends object, Sft extends object> {
  /** One record per pair, in order of first appearance of the rollouts. */
  readonly dpo: readonly Dpo[];
  /** One record per branch that has a reward: rollouts in order of first appearance, branches by branch_index. */
  readonly ppo: readonly Ppo[];
  /** One record per demonstration, in order of first appearance of the rollouts. */
  readonly sft: readonly Sft[];
  readonly rollouts: number;
  /** Number of rollouts without a pair, by reason: only reasons that occurred, in fixed order. */
  readonly notPaired: ReadonlyMap<OmissionReason, number>;
  /** Number of rollouts without a demonstration, by reason. */
  readonly notDemonstrated: ReadonlyMap<OmissionReason, number>;
  /** Number of rollouts without any record of `ppo`, by reason. */
  readonly notRewarded: ReadonlyMap<OmissionReason, number>;
  /** Tool events that the records omit. Empty if the target copies all tool events unchanged. */
  readonly unreadableToolEvents: readonly UnreadableToolEvent[];
}

/**
 * Exports ranked branches of any number of rollouts, in any order, to the records of a target. Works in memory.
 * All records have the same `exportedAtMs`; the default is the current time.
 *
 * The branches must be valid, both structurally and semantically. If branches disagree on the task or share a
 * branch_index, the pair is undefined.
 */
export function exportRollouts<Id extends TargetId>(
  branches: Iterable<RolloutBranchRecord>,
  options: ExportRolloutsOptions<Id>,
): ExportedRollouts<
  RecordOf<Id, "toDpo" | "toPreference">,
  RecordOf<Id, "toPpo">,
  RecordOf<Id, "toSft">
>;
export function exportRollouts(
  branches: Iterable<RolloutBranchRecord>,
  { target: id, ...rest }: ExportRolloutsOptions<TargetId>,
): ExportedRollouts<object, object, object> {
  const options = resolveExportOptions(rest);
  const built = [...groupByRollout(branches).values()].map((rollout) =>
    buildRollout(rollout, targets[id], options),
  );
  return {
    dpo: built.flatMap(({ records }) => records.dpo),
    ppo: built.flatMap(({ records }) => records.ppo),
    sft: built.flatMap(({ records }) => records.sft),
    rollouts: built.length,
    notPaired: countReasons(built.map(({ omitted }) => omitted.dpo)),
    notDemonstrated: countReasons(built.map(({ omitted }) => omitted.sft)),
    notRewarded: countReasons(built.map(({ omitted }) => omitted.ppo)),
    unreadableToolEvents: built.flatMap((rollout) => rollout.unreadableToolEvents),
  };
}

function countReasons(found: readonly (OmissionReason | undefined)[]): Map<OmissionReason, number> {
  const counts = OMISSION_REASONS.map((reason): [OmissionReason, number] => [
    reason,
    found.filter((other) => other === reason).length,
  ]);
  return new Map(counts.filter(([, count]) => count > 0));
}
