import type { RolloutBranch } from "#generated/index.js";
import type { JsonObject } from "../json/value.js";
import type { RewardMapping } from "./rewards.js";

/** What is wrong with a row, or odd in it. */
export interface ImportFault {
  readonly id: string;
  /** JSON Pointer (RFC 6901) into the row. */
  readonly pointer: string;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
}

/** What becomes of one row of a log. */
export type Imported = ImportedBranch | LeftOut | FaultyRow;

/** A branch that was captured. */
export interface ImportedBranch {
  readonly kind: "branch";
  /** Valid as the schema has it. */
  readonly branch: RolloutBranch;
  readonly warnings: readonly ImportFault[];
  /** Steps of the row that are not this branch's own, such as copied context. */
  readonly skippedSteps: number;
  /** Where in the row that comes from which `pointer` names in the branch. */
  toSourcePointer(pointer: string): string;
}

/** A row that holds no branch, though nothing is wrong with it; it is counted under the fault's id. */
export interface LeftOut {
  readonly kind: "left-out";
  readonly fault: ImportFault;
}

/** A row that cannot be read, with at least one fault. */
export interface FaultyRow {
  readonly kind: "faulty";
  readonly faults: readonly ImportFault[];
}

/** An option of one source, as `--help` shows it. */
export interface ImportOption {
  /** As commander has them: `--allow-eval`, `--group-by <what>`. */
  readonly flags: string;
  readonly description: string;
}

/** Values of a source's options by their camelCase names. */
export interface ImportValues {
  flag(name: string): boolean;
  optionalText(name: string): string | undefined;
}

/** What every source has to know. */
export interface ImportSettings {
  /** Stands before every id that is made, so that two runs do not collide. */
  readonly idPrefix: string;
  /** Sampling temperature, from 0: logs do not hold it. */
  readonly temperature: number;
  readonly rewards: RewardMapping;
}

/** Reads the rows of one import, in their order. */
export interface ImportReader {
  /** Why nothing of a file is to be imported; undefined when it is. */
  refuseFile(file: string): ImportFault | undefined;
  /** Never throws, whatever the row holds. */
  read(row: JsonObject): Imported;
}

/** A kind of training log. */
export interface ImportSource {
  /** The name by which the user asks for it. */
  readonly id: string;
  readonly purpose: string;
  /** What one record of it is called: `row`. */
  readonly unit: string;
  /** Glob patterns of what a folder is searched for. */
  readonly files: readonly string[];
  /** Whether a file may also be one JSON document of several lines. */
  readonly documents: boolean;
  readonly options: readonly ImportOption[];
  /** Throws UserError (exit 2) for settings that make no sense. */
  createReader(settings: ImportSettings, values: ImportValues): ImportReader;
}
