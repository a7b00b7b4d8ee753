import { createHash } from "node:crypto";
import {
  type DpoRecord,
  type PpoRecord,
  PROVENANCE_SOURCE,
  type RolloutBranchRecord,
  type TaskHash,
} from "#generated/index.js";
import { inBranchOrder, type PreferencePair, selectPair } from "./selection.js";
import { type ExportOptions, resolveExportOptions } from "./targets/target.js";

/**
 * Layer 2 preference record of one rollout; null when it gives no pair (`selectPair` says why).
 * `exportedAtMs` is now by default. Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function toDpoRecord(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "exportedAtMs"> = {},
): DpoRecord | null {
  const { pair } = selectPair(branches);
  return pair === undefined ? null : createDpoRecord(pair, resolveExportOptions(options));
}

/** Layer 2 record of a pair. It shares the tool events with the chosen branch. */
export function createDpoRecord(
  { chosen, rejected }: PreferencePair,
  { exportedAtMs }: Pick<ExportOptions, "exportedAtMs">,
): DpoRecord {
  return {
    prompt: chosen.task,
    chosen: chosen.final_answer,
    rejected: rejected.final_answer,
    tool_call_sequence: chosen.tool_call_sequence,
    provenance: {
      source: PROVENANCE_SOURCE,
      rollout_id: chosen.rollout_id,
      chosen_branch: chosen.branch_index,
      rejected_branch: rejected.branch_index,
      objective_score: { chosen: chosen.objective_score, rejected: rejected.objective_score },
      exported_at_ms: exportedAtMs,
      n_gram_hash: taskHash(chosen.task),
    },
  };
}

/**
 * Layer 2 reward records of one rollout: one per branch, crashed ones too, in order of branch_index.
 * `exportedAtMs` is now by default. Throws TypeError when the branches are none, not of one rollout, or not ranked.
 */
export function toPpoRecords(
  branches: readonly RolloutBranchRecord[],
  options: Pick<Partial<ExportOptions>, "exportedAtMs"> = {},
): PpoRecord[] {
  const resolved = resolveExportOptions(options);
  return inBranchOrder(branches).map((branch) => createPpoRecord(branch, resolved));
}

/** Layer 2 record of a branch: its reward is the raw total score. It shares the branch's tool events. */
export function createPpoRecord(
  branch: RolloutBranchRecord,
  { exportedAtMs }: Pick<ExportOptions, "exportedAtMs">,
): PpoRecord {
  return {
    prompt: branch.task,
    completion: branch.final_answer,
    reward: branch.total_score,
    tool_call_sequence: branch.tool_call_sequence,
    provenance: {
      source: PROVENANCE_SOURCE,
      rollout_id: branch.rollout_id,
      branch_index: branch.branch_index,
      objective_score: branch.objective_score,
      exported_at_ms: exportedAtMs,
      n_gram_hash: taskHash(branch.task),
    },
  };
}

/** Length of the hash in hexadecimal digits: the pattern of `rollout-wire#/$defs/TaskHash`. */
const DIGITS = 16;

/**
 * The `TaskHash` of the schema: the first 16 lower-case hexadecimal digits of the SHA-256 of the task's
 * UTF-8 bytes; `n_gram_hash` of Layer 2 and `task_hash` of Layer 3.
 *
 * The task is hashed as it is: not trimmed, not normalised. A lone surrogate has no UTF-8 bytes and
 * counts as U+FFFD, as every UTF-8 encoder of the web platform has it. Python's does not and raises;
 * the same hash is had there with `re.sub("[\ud800-\udfff]", "\ufffd", task).encode()`, which
 * touches lone surrogates only, since `json.loads` joins the paired ones.
 */
export function taskHash(task: string): TaskHash {
  if (task !== latest.task) latest = { task, hash: hashOf(task) };
  return latest.hash;
}

/** The branches of a rollout follow each other, and have one task. */
let latest = { task: "", hash: hashOf("") };

function hashOf(task: string): TaskHash {
  return createHash("sha256").update(task, "utf8").digest("hex").slice(0, DIGITS);
}
