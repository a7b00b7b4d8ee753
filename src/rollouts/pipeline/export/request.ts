import type { ExportSettings, ReportedSchema } from "#generated/index.js";
import type { LinesOutcome } from "../../../base/run/run-lines.js";
import type { RedactionPlan } from "../../capture/redact/line-redactor.js";
import type { TargetId } from "../../wire/export/targets/index.js";
import type { OutputKind, resolveExportOptions } from "../../wire/export/targets/target.js";
import type { RuleSeverities } from "../../wire/validation/profiles.js";
import type { LogsRequest } from "../import/run.js";
import type { ChosenShard } from "../partition/manifest.js";
import type { RecordOutput } from "../record-output.js";
import type { RolloutsRequest, WrittenRollouts } from "../write-rollouts.js";
import type { Evaluation, GateRequest } from "./evaluation.js";
import type { FoundLogs } from "./read-logs.js";
import type { Storage } from "./storage.js";

/** What an export reads, and how it checks that. */
export interface ExportInputs extends Omit<RolloutsRequest, "severities"> {
  /** Severity of each rule. Default: `strict`. */
  readonly severities?: RuleSeverities;
  /** The shard that is the only file. Undefined: the files are no shard. */
  readonly shard?: ChosenShard | undefined;
  /** Whether the branches have no ranks, as those of logs: then they are ranked first. Default: false. */
  readonly ranks?: boolean;
  /** How logs are read. Undefined: the files have branches. */
  readonly logs?: Pick<LogsRequest, "choice" | "rewardFile" | "supplements"> | undefined;
}

/** What an export makes of the rollouts. */
export interface ExportChoices {
  readonly target: TargetId;
  /** Which pairs are made, and how. Default: see `resolveExportOptions`. */
  readonly options?: Parameters<typeof resolveExportOptions>[0];
  /** Undefined: tasks are not compared with an evaluation set. */
  readonly gate?: GateRequest | undefined;
  /** Undefined: secrets stay. */
  readonly redaction?: RedactionPlan | undefined;
}

/** Where the files of an export go. */
export interface Destination {
  /** One file for each kind of record to be written, or a folder for a dataset of all kinds. */
  readonly records: Readonly<Partial<Record<OutputKind, string>>> | { readonly folder: string };
  /** How the records of a dataset folder are stored. Default: as JSONL. */
  readonly storage?: Storage | undefined;
  /** File for the report, which is written whether or not the export succeeds. */
  readonly report?: string | undefined;
  /** Returns the schemas that a report names. */
  readonly describeSchemas?: () => ReportedSchema[];
}

/** The records of one kind, under the name that the user gave, or that of the only file in a folder. */
interface ExportedRecords {
  readonly kind: OutputKind;
  readonly path: string;
  readonly output: RecordOutput;
}

/** What an export did, apart from its findings. */
export interface ExportedRollouts extends Pick<WrittenRollouts, "receiver"> {
  readonly target: TargetId;
  readonly settings: ExportSettings;
  readonly shard: ChosenShard | undefined;
  /** Undefined if there is no evaluation set. */
  readonly evaluation: Evaluation | undefined;
  /** Whether the records are in a dataset folder. */
  readonly inFolder: boolean;
  readonly outputs: readonly ExportedRecords[];
  /** Whether the branches were ranked. */
  readonly ranked: boolean;
  /** Undefined if the inputs are no logs. */
  readonly imported: FoundLogs | undefined;
}

export interface ExportOutcome extends ExportedRollouts, LinesOutcome {}
