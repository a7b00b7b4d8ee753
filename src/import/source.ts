import type { RolloutBranch } from "#generated/index.js";
import type { JsonObject } from "../json/value.js";
import type { RewardMapping } from "./rewards.js";

/** An error or a warning about a row. */
export interface ImportFault {
  readonly id: string;
  /** JSON Pointer (RFC 6901) into the row. */
  readonly pointer: string;
  /** A sentence without its place, safe on a terminal. */
  readonly message: string;
}

/** The result of reading one row of a log. */
export type Imported = ImportedBranch | LeftOut | FaultyRow;

/** A row that became a captured branch. */
export interface ImportedBranch {
  readonly kind: "branch";
  /** Valid by the schema. */
  readonly branch: RolloutBranch;
  readonly warnings: readonly ImportFault[];
  /** Number of steps that do not belong to this branch, such as copied context. */
  readonly skippedSteps: number;
  /** The pointer into the row for a pointer into the branch. */
  toSourcePointer(pointer: string): string;
}

/** A valid row without a branch; it is counted under the fault's id. */
interface LeftOut {
  readonly kind: "left-out";
  readonly fault: ImportFault;
}

/** A row that cannot be read, with at least one fault. */
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
  /** Sampling temperature, from 0, which logs do not hold. */
  readonly temperature: number;
  readonly rewards: RewardMapping;
}

/** Reads the rows of one import, in their order. */
export interface ImportReader {
  /** Why a whole file is refused; undefined when it is not. */
  refuseFile(file: string): ImportFault | undefined;
  /** Never throws, whatever the row holds. */
  read(row: JsonObject): Imported;
}

/** A kind of training log. */
export interface ImportSource {
  /** The name by which the user asks for it. */
  readonly id: string;
  readonly purpose: string;
  /** What one record is called: `row`. */
  readonly unit: string;
  /** Glob patterns of the files that are read from a folder. */
  readonly files: readonly string[];
  /** Whether a file may also be one JSON document of several lines. */
  readonly documents: boolean;
  readonly options: readonly ImportOption[];
  /** Throws UserError (exit 2) for settings that make no sense. */
  createReader(settings: ImportSettings, values: ImportValues): ImportReader;
}
