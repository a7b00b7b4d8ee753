import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import type { TargetId } from "../export/targets/index.js";
import type { ExportOptions } from "../export/targets/target.js";
import type { JsonObject } from "../json/value.js";
import type { RecordReader } from "../jsonl/reader.js";
import type { ScoreWeights } from "../scoring/score.js";
import type { BranchFault } from "../validation/check-record.js";
import type { RuleSeverities } from "../validation/profiles.js";

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

/**
 * What a command makes of rollouts, one at a time, on any thread. The branches that it checks and builds
 * are those that its own `read` returned.
 */
export interface RolloutBuilder<Branch extends RolloutBranch = RolloutBranch> {
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

/** What every thread needs to know about a run; plain data. */
export interface RolloutPlan {
  readonly builder: BuilderPlan;
  readonly severities: RuleSeverities;
  /** How many findings of each severity are listed. */
  readonly maxErrors: number;
  /**
   * Whether faulty lines and rollouts are left out of the outputs and kept as rejects; their faults are
   * then warnings. Otherwise they are errors, and there are no outputs.
   */
  readonly skipInvalid: boolean;
}

/** Which builder to make, and of what; plain data, so that every thread can make its own. */
export type BuilderPlan =
  | ({ readonly id: "export" } & ExportPlan)
  | ({ readonly id: "rank" } & RankPlan);

export interface ExportPlan {
  readonly target: TargetId;
  readonly options: ExportOptions;
}

export interface RankPlan {
  readonly weights: ScoreWeights;
}
