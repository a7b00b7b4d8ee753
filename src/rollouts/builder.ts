import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import type { JsonObject } from "../json/value.js";
import type { RecordReader } from "../jsonl/reader.js";
import type { BranchFault } from "../validation/check-record.js";

/** What one file gets of a rollout. */
export interface BuiltOutput {
  readonly records: readonly object[];
  /** Why a file that takes one record per rollout gets none. */
  readonly omitted?: string | undefined;
}

/** What becomes of one rollout. */
export interface RolloutBuild {
  /** In the order of the builder's `outputs`. */
  readonly outputs: readonly BuiltOutput[];
  /** Tool events that no record holds. */
  readonly unreadableToolEvents: number;
}

/** What a command makes of rollouts, one at a time, on any thread. */
export interface RolloutBuilder<Branch extends RolloutBranch> {
  /** What every line has to be. */
  readonly type: EntryTypeName;
  /** Reads the lines, and knows what can be copied from them. */
  readonly reader: RecordReader;
  /** Names of the files that it fills. */
  readonly outputs: readonly string[];
  /** The value as a branch; undefined when its structure is not that of `type`. */
  read(value: JsonObject): Branch | undefined;
  /** What is wrong with the branches of one rollout, beyond the rules for every rollout. */
  checkRollout(branches: readonly Branch[]): readonly BranchFault[];
  /** `branches` are all of one rollout without an error, at least one, in the order of the input. */
  build(branches: readonly Branch[]): RolloutBuild;
}
