import type { EvalIndex } from "../../decontamination/eval-index.js";
import type { TargetId } from "../../export/targets/index.js";
import type { ExportOptions, OutputKind } from "../../export/targets/target.js";
import type { FindingLimits } from "../../findings/finding-list.js";
import type { OutputFile } from "../../rollouts/receiver.js";
import type { Progress } from "../../rollouts/staged-run.js";
import type { WriteOutcome, WriteRolloutsRequest } from "../../rollouts/write.js";
import type { RuleSeverities } from "../../validation/profiles.js";

/** What an export is asked for. */
export interface ExportRequest
  extends FindingLimits,
    Partial<ExportOptions>,
    Pick<WriteRolloutsRequest, "workers" | "blockBytes"> {
  /** Files, folders and glob patterns; `-` is standard input. */
  readonly inputs: readonly string[];
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly evalItems: string | undefined;
  /** Field of the evaluation items that holds their text; undefined for the default. */
  readonly evalField?: string | undefined;
  /** Tokens per n-gram; undefined for the default. */
  readonly n?: number | undefined;
  /** Leave out rollouts that overlap the evaluation set, instead of writing nothing. */
  readonly dropContaminated?: boolean;
  /** How severe broken rules are; `strict` by default. */
  readonly severities?: RuleSeverities | undefined;
  readonly target: TargetId;
  /**
   * A file per kind of record, where kinds that the target does not write are ignored; or a folder for
   * a dataset.
   */
  readonly destination: Readonly<Record<OutputKind, string>> | { readonly folder: string };
  /** Leave out what is invalid, instead of writing nothing. */
  readonly skipInvalid?: boolean;
  /** File for the lines that are left out. */
  readonly rejects?: string | undefined;
  /** File for the report, written whether the export succeeds or not. */
  readonly report?: string | undefined;
  /** Starts showing progress, once the input files are known. */
  readonly startProgress?: (files: readonly string[]) => Promise<Progress>;
}

/** A file of an export, under the name that the user gave it. */
interface ExportedFile {
  readonly kind: OutputKind;
  readonly path: string;
  readonly file: OutputFile;
}

export interface ExportOutcome extends Omit<WriteOutcome, "outputs"> {
  readonly request: ExportRequest;
  readonly options: ExportOptions;
  /** Undefined without an evaluation set. */
  readonly evalIndex: EvalIndex | undefined;
  readonly outputs: readonly ExportedFile[];
}
