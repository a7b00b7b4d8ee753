import type { Open, RolloutBranch } from "#generated/index.js";
import type { JsonObject } from "../../../../base/json/value.js";
import type { Tally } from "../tally.js";
import type { RewardMapping } from "./rewards.js";

/** An error or a warning about a row. */
export interface ImportFault {
  readonly id: string;
  /** JSON Pointer (RFC 6901) into the row. */
  readonly pointer: string;
  /** The message without the position, safe on a terminal. */
  readonly message: string;
  /** As in a finding. */
  readonly cause?: string;
}

/** The result of reading one row of a log. */
export type Imported = ImportedBranch | LeftOut | FaultyRow;

/** A row that became a captured branch. */
export interface ImportedBranch {
  readonly kind: "branch";
  /** Valid by the schema. */
  readonly branch: Open<RolloutBranch>;
  readonly warnings: readonly ImportFault[];
  /** Number of steps that do not belong to this branch, such as copied context. */
  readonly skippedSteps: number;
  /** What was read otherwise than it was written, and what was not read. */
  readonly tally: Tally;
  /** Converts a pointer into the branch to a pointer into the row. */
  toSourcePointer(pointer: string): string;
}

/** A valid row that yields no branch. It is counted under the fault's id. */
export interface LeftOut {
  readonly kind: "left-out";
  readonly fault: ImportFault;
}

/** A row with at least one fault, so that it cannot be imported. */
interface FaultyRow {
  readonly kind: "faulty";
  readonly faults: readonly ImportFault[];
}

/** An option of one source, as `--help` shows it. */
interface ImportOption {
  /** In the syntax of commander: `--allow-eval`, `--group-by <what>`. */
  readonly flags: string;
  readonly description: string;
}

/** Values of a source's options by their camelCase names. */
interface ImportValues {
  flag(name: string): boolean;
  optionalText(name: string): string | undefined;
}

/** Settings that every source needs. */
export interface ImportSettings {
  /** Prefix of every generated id, so that two runs do not collide. */
  readonly idPrefix: string;
  /** Sampling temperature, from 0. Logs do not contain it. */
  readonly temperature: number;
  readonly rewards: RewardMapping;
}

/** What becomes of one place of the rows. */
export interface ExplainedPlace {
  /** JSON Pointer into the row; `*` stands for any index. */
  readonly from: string;
  /** Field of the branch, or `(dropped)`. */
  readonly to: string;
  /** Number of rows that have it. */
  readonly rows: number;
  /** What it is in the first of these rows, safe on a terminal. */
  readonly example: string;
}

/** What would become of rows if they were imported. */
export interface Explanation {
  /** By what the rows are read. */
  readonly title: string;
  /** Number of rows that were read, and of those that give a branch. */
  readonly rows: number;
  readonly branches: number;
  readonly places: readonly ExplainedPlace[];
  /** Errors and reasons for leaving rows out, the first of each kind, with the number of rows. */
  readonly problems: readonly (ImportFault & { readonly rows: number })[];
}

/** Explains rows instead of importing them. */
export interface RowExplainer {
  /** Never throws, whatever the row contains. */
  add(row: JsonObject): void;
  explain(): Explanation;
}

/** Reads the rows of one import in order. */
export interface ImportReader {
  /** Why a whole file is rejected; undefined if it is not. */
  refuseFile(file: string): ImportFault | undefined;
  /** Never throws, whatever the row contains. */
  read(row: JsonObject): Imported;
  /** Absent if the source has one layout only. */
  createExplainer?(): RowExplainer;
}

/** A kind of training log. */
export interface ImportSource {
  /** Name of the source on the command line. */
  readonly id: string;
  readonly purpose: string;
  /** What one record is called, such as `row`. */
  readonly unit: string;
  /** Glob patterns of the files that are read from a folder. */
  readonly files: readonly string[];
  /** Whether a file may also be one JSON document of several lines. */
  readonly documents: boolean;
  readonly options: readonly ImportOption[];
  /** Throws UserError (exit 2) for inconsistent settings. */
  createReader(settings: ImportSettings, values: ImportValues): ImportReader;
}
