import type { EntryTypeName, RolloutBranch } from "#generated/index.js";
import type { ParsedRecord, RecordReader } from "../../base/jsonl/reader.js";
import type { RedactionPlan, SecretCounts } from "../capture/redact/line-redactor.js";
import type { BuiltPair } from "../wire/export/build-rollout.js";
import type { TargetId } from "../wire/export/targets/index.js";
import type { ExportOptions, OutputKind } from "../wire/export/targets/target.js";
import { findUnrankable } from "../wire/scoring/rank.js";
import type { ScoreWeights } from "../wire/scoring/score.js";
import type { BranchFault } from "../wire/validation/check-record.js";
import type { RuleSeverities } from "../wire/validation/profiles.js";

/** The part of a rollout that goes to one file. */
export interface BuiltOutput {
  readonly records: readonly object[];
  /** Why a file that takes one record per rollout gets none. */
  readonly omitted?: string | undefined;
}

/** The outcome of one rollout. */
export interface RolloutBuild {
  /** In the order of the builder's `outputs`. */
  readonly outputs: readonly BuiltOutput[];
  /** The branches that its pairs are about. */
  readonly pairs?: readonly BuiltPair[] | undefined;
  /** Number of pairs whose prompt has the words of the chosen branch only. */
  readonly sameActs?: number;
  /** Number of branches that were passed over for one of equal total score. */
  readonly passedOver?: number;
  /** Number of branches that give no reward record. */
  readonly unrewarded?: number;
  /** Number of tool events that are in no record. */
  readonly unreadableToolEvents: number;
  /** Number of branches that call tools and declare none. */
  readonly missingTools: number;
  /** The secrets that were replaced in the branches. */
  readonly secrets?: SecretCounts | undefined;
}

/**
 * Builds the records of a command from rollouts, one at a time, on any thread. Its methods receive only
 * branches that its own `read` returned.
 */
export interface RolloutBuilder<Branch extends RolloutBranch = RolloutBranch> {
  /** The type that every line must have. */
  readonly type: EntryTypeName;
  /** Reads the lines and remembers the bytes that can be copied from them. */
  readonly reader: RecordReader;
  /** Names of the output files. */
  readonly outputs: readonly string[];
  /** Returns the value of a record as a branch; undefined if it is structurally invalid for `type`. */
  read(record: ParsedRecord): Branch | undefined;
  /** Finds faults in the branches of one rollout beyond those of the rollout rules. */
  checkRollout(branches: readonly Branch[]): readonly BranchFault[];
  /**
   * Builds one rollout. `branches` are its branches in input order: at least one, all free of errors. `lost` others
   * were left out as invalid.
   */
  build(branches: readonly Branch[], lost: number): RolloutBuild;
}

/** What every thread needs to know about a run; plain data. */
export interface RolloutPlan {
  readonly builder: BuilderPlan;
  readonly severities: RuleSeverities;
  /** Maximum number of findings listed per severity. */
  readonly maxErrors: number;
  /**
   * Whether faulty lines and rollouts are omitted from the outputs. Their faults are then warnings. Otherwise they
   * are errors, and nothing is written.
   */
  readonly skipInvalid: boolean;
  /** Whether branches of failed runs are omitted too: see `findRunError`. */
  readonly skipErrored?: boolean;
  /** Whether omitted lines are kept in a rejects file. */
  readonly keepRejects: boolean;
  /** Whether what the models were given is compared with an evaluation set. */
  readonly isGated?: boolean;
}

/** Which builder to create and its options. Plain data, so that every thread can create its own. */
export type BuilderPlan =
  | ({ readonly id: "export" } & ExportPlan)
  | ({ readonly id: "rank" } & RankPlan);

export interface ExportPlan {
  readonly target: TargetId;
  /** Whether the branches are captured ones, which are ranked before they are exported. Default: false. */
  readonly ranks?: boolean | undefined;
  /** Kinds of file to write; undefined: all that the target writes. */
  readonly kinds?: readonly OutputKind[] | undefined;
  readonly options: ExportOptions;
  /** Undefined: secrets stay. */
  readonly redaction?: RedactionPlan | undefined;
}

export interface RankPlan {
  readonly weights: ScoreWeights;
}

/** The weights with which the branches of a run were or will be scored. */
export function weightsOf(plan: BuilderPlan): ScoreWeights {
  return plan.id === "export" ? plan.options.weights : plan.weights;
}

/** Creates the `read` of a builder. A record that its reader found valid is not validated again. */
export function readerOf<Branch extends RolloutBranch>(
  type: EntryTypeName,
  isValid: (value: unknown) => value is Branch,
): RolloutBuilder<Branch>["read"] {
  const isKnown = (value: object, validFor: string | undefined): value is Branch =>
    validFor === type || isValid(value);
  return ({ value, validFor }) => (isKnown(value, validFor) ? value : undefined);
}

/** Why branches of a rollout cannot be ranked. */
export function findUnrankableBranches(branches: readonly RolloutBranch[]): BranchFault[] {
  return branches.flatMap((each, branch) =>
    findUnrankable([each]).map(({ id, pointer, message }) => ({
      branch,
      id,
      severity: "error",
      pointer,
      message,
      // Any other message shows the scores of the branch.
      cause: id === "no-objective" ? message : "",
    })),
  );
}
