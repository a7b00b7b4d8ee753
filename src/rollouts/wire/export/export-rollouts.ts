import type { RolloutBranchRecord } from "#generated/index.js";
import {
  type KnownOptions,
  requireChoice,
  requireKnownOptions,
  requireNumber,
} from "../../../base/options.js";
import { buildRollout, type UnreadableToolEvent } from "./build-rollout.js";
import { PAIR_FORMS } from "./comparison.js";
import { OMISSION_REASONS, type OmissionReason } from "./reasons.js";
import { groupByRollout, PAIRINGS } from "./selection.js";
import { type RecordOf, type TargetId, targets } from "./targets/index.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

/** What `exportRollouts` takes besides the target; by default, one pair of the best and the worst branch. */
type RecordOptions = Partial<Omit<ExportOptions, "missingTools">>;

/** What `exportRollouts` exports for, and how. */
export interface ExportRolloutsOptions<Id extends TargetId> extends RecordOptions {
  /** For whom the records are: the layer of the format, or the trainer. */
  readonly target: Id;
}

/** The records of a target, and why rollouts have none. */
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
 *
 * Throws UserError (exit 2), which names what is allowed, for an unknown target or option and for a wrong value, and
 * TypeError for branches that are not ranked.
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
  given: Partial<ExportRolloutsOptions<TargetId>> = {},
): ExportedRollouts<object, object, object> {
  requireOptions(given);
  const { target: id, ...rest } = given;
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

const OPTIONS: KnownOptions<ExportRolloutsOptions<TargetId>> = {
  target: true,
  exportedAtMs: true,
  weights: true,
  seed: true,
  pairs: true,
  pairing: true,
  minGap: true,
  maxPairs: true,
  rankAgain: true,
};

function requireOptions(
  given: Partial<ExportRolloutsOptions<TargetId>>,
): asserts given is ExportRolloutsOptions<TargetId> {
  requireKnownOptions("exportRollouts:", given, OPTIONS);
  const { target = "", pairs, pairing, minGap = 0, maxPairs = 1, exportedAtMs } = given;
  requireChoice("exportRollouts: target", target, Object.keys(targets));
  requireChoice("exportRollouts: pairs", pairs, PAIR_FORMS);
  requireChoice("exportRollouts: pairing", pairing, PAIRINGS);
  requireNumber("exportRollouts: minGap", minGap, 0);
  requireNumber("exportRollouts: maxPairs", maxPairs, 1);
  if (exportedAtMs !== undefined) requireNumber("exportRollouts: exportedAtMs", exportedAtMs, 0);
}

function countReasons(found: readonly (OmissionReason | undefined)[]): Map<OmissionReason, number> {
  const counts = OMISSION_REASONS.map((reason): [OmissionReason, number] => [
    reason,
    found.filter((other) => other === reason).length,
  ]);
  return new Map(counts.filter(([, count]) => count > 0));
}
