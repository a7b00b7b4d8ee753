import {
  isRolloutBranchRecord,
  type RolloutBranch,
  type RolloutBranchRecord,
} from "#generated/index.js";
import { toJsonl, toSafeJson } from "../../src/base/json/print.js";
import type { Boilerplate } from "../../src/rollouts/wire/decontamination/boilerplate.js";
import type { EvalIndex } from "../../src/rollouts/wire/decontamination/eval-index.js";
import { exportRollouts } from "../../src/rollouts/wire/export/export-rollouts.js";
import {
  isTargetId,
  type TargetId,
  targets,
} from "../../src/rollouts/wire/export/targets/index.js";
import { outputKinds } from "../../src/rollouts/wire/export/targets/target.js";
import { rankScored } from "../../src/rollouts/wire/scoring/rank.js";
import { OUTPUT_PREFIX } from "./files.js";

/** Time of all golden exports, in milliseconds since the Unix epoch: that of the plugin's published examples. */
export const GOLDEN_EXPORTED_AT_MS = 1_700_000_000_000;

/** Texts by file name. */
export type GoldenOutputs = ReadonlyMap<string, string>;

/**
 * All outputs of a golden run, byte for byte:
 * - `expected.rank.jsonl`: the rollouts as written by `rank`;
 * - `expected.<target>.<kind>.jsonl` for each target of `export`: from the original rollouts if all are
 *   ranked, else from the output of `rank`, without rollouts that overlap the evaluation set;
 * - `expected.<target>.<name>.json`: additional files of the target for its trainer;
 * - `expected.summary.json`: what each target left out, and why.
 *
 * The rollouts must be valid and rankable.
 */
export function createGoldenOutputs(
  rollouts: readonly (readonly RolloutBranch[])[],
  evalIndex: EvalIndex | undefined,
): GoldenOutputs {
  const ranked = rollouts.flatMap((branches) => rankScored(branches));
  const given = rollouts.flat();
  const branches = given.every(isRolloutBranchRecord)
    ? given.filter(isRolloutBranchRecord)
    : ranked;
  const counter = evalIndex?.createTaskCounter();
  for (const { task } of branches) counter?.add(task);
  const boilerplate = counter?.findBoilerplate();
  const clean = branches.filter(
    ({ task }) => evalIndex?.isContaminated(task, boilerplate) !== true,
  );
  const exported = Object.keys(targets)
    .filter(isTargetId)
    .map((id) => exportTo(id, clean));
  const summary = {
    rollouts: rollouts.length,
    branches: given.length,
    contaminated: evalIndex ? findContaminated(rollouts, evalIndex, boilerplate) : null,
    targets: Object.fromEntries(exported.map(({ id, account }) => [id, account])),
  };
  return new Map([
    [`${OUTPUT_PREFIX}rank.jsonl`, toJsonl(ranked)],
    ...exported.flatMap(({ files }) => files),
    [`${OUTPUT_PREFIX}summary.json`, toSafeJson(summary)],
  ]);
}

/** The files of a target, and a summary of what they leave out. */
function exportTo(id: TargetId, branches: readonly RolloutBranchRecord[]) {
  const target = targets[id];
  const built = exportRollouts(branches, { target: id, exportedAtMs: GOLDEN_EXPORTED_AT_MS });
  const kinds = outputKinds(target);
  const name = (kind: string): string => `${OUTPUT_PREFIX}${id}.${kind}.jsonl`;
  const description = target.describeDataset?.(
    Object.fromEntries(kinds.map((kind) => [kind, name(kind)])),
  );
  const files: [name: string, text: string][] = kinds.map((kind) => [
    name(kind),
    toJsonl(built[kind]),
  ]);
  if (description !== undefined) {
    files.push([`${OUTPUT_PREFIX}${id}.${description.name}`, toSafeJson(description.value)]);
  }
  const account = {
    records: Object.fromEntries(kinds.map((kind) => [kind, built[kind].length])),
    not_paired: Object.fromEntries(built.notPaired),
    not_demonstrated: Object.fromEntries(built.notDemonstrated),
    unreadable_tool_events: built.unreadableToolEvents.length,
  };
  return { id, files, account };
}

/** The overlap of each rollout with an evaluation item. */
function findContaminated(
  rollouts: readonly (readonly RolloutBranch[])[],
  evalIndex: EvalIndex,
  boilerplate: Boilerplate | undefined,
): object[] {
  const tasks = rollouts.flatMap((branches) => branches.slice(0, 1));
  return tasks
    .flatMap(({ rollout_id: id, task: text }) => evalIndex.findOverlaps({ id, text }, boilerplate))
    .map(({ task, evalItem, ngram, overlapRatio, longestSpan }) => ({
      rollout_id: task,
      evaluation_item: evalItem.id,
      ngram,
      overlap_ratio: overlapRatio,
      longest_span: longestSpan,
    }));
}
