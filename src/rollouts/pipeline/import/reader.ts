import type { Open, RolloutBranch } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import type { Tally } from "./tally.js";
import type { RewardMapping } from "./verdicts/rewards.js";
import type { RunEnd } from "./verdicts/run-end.js";

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
  /** How the run ended; undefined if by itself, or if the record does not say. */
  readonly end?: RunEnd | undefined;
  /** Converts a pointer into the branch to a pointer into the row. */
  toSourcePointer(pointer: string): string;
}

/** A valid row that yields no branch. It is counted under the fault's id. */
export interface LeftOut {
  readonly kind: "left-out";
  readonly fault: ImportFault;
  /** As in a branch. */
  readonly tally?: Tally;
}

/** A row with at least one fault, so that it cannot be imported. */
export interface FaultyRow {
  readonly kind: "faulty";
  /** The rollout that loses a branch by it; undefined if it cannot be told. */
  readonly rolloutId?: string | undefined;
  readonly faults: readonly ImportFault[];
}

/** Settings that every source needs. */
export interface ImportSettings {
  /** Prefix of every generated id, so that two runs do not collide. */
  readonly idPrefix: string;
  /** Sampling temperature, from 0. Logs do not contain it. */
  readonly temperature: number;
  readonly rewards: RewardMapping;
  /** Whether a record may be without a reward, even if its form has one: the user gives it, or assumes a verdict. */
  readonly mayLackReward: boolean;
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

/** A record in a text: the text's value, or a part of it. */
export interface RecordPart {
  readonly value: JsonObject;
  /** JSON Pointer to the record in the text. */
  readonly pointer: string;
  /** Converts a pointer into the record to one into the text. Default: `pointer` comes before it. */
  toTextPointer?(pointer: string): string;
  /** Why the record cannot be read. Its pointer is one into the text. */
  readonly fault?: ImportFault | undefined;
  /** Why the record, which is valid, has no conversation of its own. */
  readonly leftOut?: ImportFault | undefined;
  /** What the record lost when it was cut out. Pointers are into the text. */
  readonly warnings?: readonly ImportFault[] | undefined;
  /** What was not read when it was cut out. */
  readonly tally?: Tally | undefined;
}

/** Where a record comes from. */
export interface RecordPlace {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** The text of a file, given by its path from the folder of the record's; undefined if it cannot be read. */
  readBeside(path: string): string | undefined;
}

/** Reads the records of one import in order. */
export interface ImportReader {
  /** Whether users of its conversations are simulated, so that they begin one task in different words. Default: false. */
  readonly simulatesUsers?: boolean;
  /** Why a whole file is rejected; undefined if it is not. */
  refuseFile(file: string): ImportFault | undefined;
  /**
   * The records in the value of a text; none if it is no such text. Never throws. Default: `splitRecords`. If the form
   * joins the lines of a file, the value has each line's value under its number.
   */
  split?(value: unknown, place: RecordPlace): readonly RecordPart[];
  /** Never throws, whatever the record contains; it is nested at most MAX_NESTING deep. */
  read(record: JsonObject, place: RecordPlace): Imported;
  /** What is said of the whole import, in a line each: a label, and a text. */
  summarise?(): readonly (readonly [label: string, text: string])[];
  /** Absent if the source has one layout only. */
  createExplainer?(): RowExplainer;
}

/** The records of a text in which nothing holds them: the text itself, or the elements of an array. */
export function splitRecords(value: unknown): readonly RecordPart[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isJsonObject(value)) return [{ value, pointer: "" }];
  return list.every(isJsonObject)
    ? list.map((each, index) => ({ value: each, pointer: `/${index}` }))
    : [];
}
