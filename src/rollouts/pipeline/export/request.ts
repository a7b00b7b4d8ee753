import type { ReportedSchema } from "#generated/index.js";
import type { FindingLimits } from "../../../base/findings/finding-list.js";
import type { Progress } from "../../../base/run/staged-run.js";
import type { RedactionPlan } from "../../capture/redact/line-redactor.js";
import type { EvalIndex } from "../../wire/decontamination/eval-index.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import type {
  ExportOptions,
  OutputKind,
  resolveExportOptions,
} from "../../wire/export/targets/target.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import type { EvalFile } from "../decontamination/eval-items.js";
import type { ChosenShard } from "../partition/manifest.js";
import type { RecordOutput } from "../record-output.js";
import type { WriteOutcome, WriteRolloutsRequest } from "../write.js";
import type { Storage } from "./storage.js";

/** The options of an export. */
export interface ExportRequest
  extends FindingLimits,
    NonNullable<Parameters<typeof resolveExportOptions>[0]>,
    Pick<WriteRolloutsRequest, "workers" | "blockBytes"> {
  /** Files, folders and glob patterns; `-` is standard input. */
  readonly inputs: readonly string[];
  /** The shard that is the only input. Undefined: the inputs are no shard. */
  readonly shard?: ChosenShard | undefined;
  /** Whether inputs without a valid record are no error, as a shard is not. Default false. */
  readonly mayBeEmpty?: boolean;
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly evalItems: string | undefined;
  /** File with an index of evaluation items, instead of them. */
  readonly evalIndex?: string | undefined;
  /** Field of the evaluation items that contains their text. Undefined: the default fields. */
  readonly evalField?: string | undefined;
  /** Tokens per n-gram. Undefined: the default. */
  readonly n?: number | undefined;
  /** Share of the tasks above which an n-gram is boilerplate, 0 to 1. Undefined: the default. */
  readonly boilerplateShare?: number | undefined;
  /** Minimum overlap ratio, 0 to 1. Undefined: the default. */
  readonly minOverlap?: number | undefined;
  /** Omit rollouts that overlap the evaluation set instead of writing nothing. */
  readonly dropContaminated?: boolean;
  /** Severity of each rule. Default: `strict`. */
  readonly severities?: RuleSeverities | undefined;
  readonly target: TargetId;
  /** Undefined: secrets stay. */
  readonly redaction?: RedactionPlan | undefined;
  /** Files that the redaction was read from. An output must not replace them. */
  readonly redactionFiles?: readonly string[];
  /** One file for each kind of record to be written, or a folder for a dataset of all kinds. */
  readonly destination: Readonly<Partial<Record<OutputKind, string>>> | { readonly folder: string };
  /** How the records of a dataset folder are stored. Default: as JSONL. */
  readonly storage?: Storage | undefined;
  /** Omit invalid lines and rollouts instead of writing nothing. */
  readonly skipInvalid?: boolean;
  /** File for the omitted lines. */
  readonly rejects?: string | undefined;
  /** File for the report, which is written whether or not the export succeeds. */
  readonly report?: string | undefined;
  /** Returns the schemas that a report names. */
  readonly describeSchemas: () => ReportedSchema[];
  /** Starts to show progress once the input files are known. */
  readonly startProgress?: (files: readonly string[]) => Promise<Progress>;
  /** Called with a line for people if the outputs of a killed run were completed. */
  readonly onRecovered?: (line: string) => void;
}

/** The records of one kind, under the name that the user gave, or that of the only file in a folder. */
interface ExportedRecords {
  readonly kind: OutputKind;
  readonly path: string;
  readonly output: RecordOutput;
}

export interface ExportOutcome extends Omit<WriteOutcome, "outputs"> {
  readonly request: ExportRequest;
  readonly options: ExportOptions;
  /** Undefined if there is no evaluation set. */
  readonly evalIndex: EvalIndex | undefined;
  /** The file that its items were read from. */
  readonly evalFile: EvalFile | undefined;
  readonly outputs: readonly ExportedRecords[];
}
