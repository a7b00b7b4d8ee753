import { type EntryTypeName, findErrors, PROVENANCE_SOURCE } from "#generated/index.js";
import { causeOfKind } from "../../../base/findings/causes.js";
import {
  explainFault,
  guessType,
  isAboutVersion,
  listMissing,
  readVersion,
  type TypeGuess,
} from "../../../base/json/entry-type.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { previewValue } from "../../../base/text.js";
import type { BranchType } from "../scan/branch-reader.js";

/** Types of branches, before and after ranking. Several branches form a rollout. */
export const BRANCH_TYPES = [
  "RolloutBranch",
  "RolloutBranchRecord",
] as const satisfies BranchType[];

/** Tells whether records of this type are branches. */
export function isBranchType(type: string): type is BranchType {
  return BRANCH_TYPES.some((branchType) => branchType === type);
}

/** One violation of a JSON Schema keyword. */
interface StructureFault {
  /** The JSON Schema keyword that failed, or `not-a-branch`. */
  readonly id: string;
  readonly pointer: string;
  readonly message: string;
  /** As in a finding. */
  readonly cause?: string;
}

/** A record's type, undefined if it is unknown, and its faults. No faults: the record is valid. */
export interface Structure {
  readonly type: EntryTypeName | undefined;
  readonly faults: readonly StructureFault[];
}

/**
 * Checks `record` against the schema of `type`. By default the type is guessed from its fields. A record that fits no
 * type, or that is no branch although it should be one, has a single fault.
 */
export function checkStructure(record: JsonObject, type?: EntryTypeName): Structure {
  const guess = type === undefined ? guessType(record) : undefined;
  const meant = type ?? guess?.name;
  if (guess?.isComplete === false && isTrainerRow(record)) {
    return { type: undefined, faults: [TRAINER_ROW] };
  }
  if (meant === undefined || guess?.isNear === false) {
    return { type: undefined, faults: [describeUnfit(record, guess)] };
  }
  const errors = findErrors(meant, record);
  if (errors.length === 0) return { type: meant, faults: [] };
  const foreign = type === undefined ? findOtherFormat(record, guess) : findForeign(record, type);
  if (foreign !== undefined) return { type: undefined, faults: [foreign] };
  const version = describeVersion(record);
  const isNoted = version !== undefined && !errors.some(isAboutVersion);
  const faults = errors.map((error, index) => {
    const note = isNoted && index === 0 ? ` (${version})` : "";
    const head = guess?.isComplete === false ? `closest to ${meant}${note}: ` : "";
    const { message, cause } = explainFault(error, record);
    const { keyword: id, pointer } = error;
    return { id, pointer, message: `${head}${message}`, cause: causeOfKind(head, cause) };
  });
  return { type: meant, faults };
}

/** The fault of a record of unknown type, named after the root keyword of the schemas. */
function describeUnfit(record: JsonObject, guess: TypeGuess | undefined): StructureFault {
  const version = describeVersion(record);
  const missing = guess === undefined ? [] : listMissing(record, guess.name);
  const parts = [
    ...(guess === undefined ? ["it has no field that a type requires"] : []),
    ...(missing.length > 0
      ? [`the closest, ${guess?.name}, also requires ${describeMissing(missing)}`]
      : []),
    ...(version === undefined ? [] : [version]),
    "name a type with --type",
  ];
  return { id: "anyOf", pointer: "", message: `no type fits: ${parts.join("; ")}` };
}

const TRAINER_ROW: StructureFault = {
  id: "not-a-branch",
  pointer: "",
  message:
    "is a row for a trainer (export --target), no branch: give the branches that it was exported from",
};

/** Whether an export wrote this record in the form of a trainer, which no schema describes. */
function isTrainerRow({ provenance, ...record }: JsonObject): boolean {
  if (!isJsonObject(provenance) || provenance.source !== PROVENANCE_SOURCE) return false;
  const isLayer2 = "tool_call_sequence" in record || provenance.task_hash === undefined;
  const isLayer3 =
    "loss_weight_tokens" in record ||
    "prompt_messages" in record ||
    ("messages" in record && "reward" in record);
  return !isLayer2 && !isLayer3;
}

/** `schema_version "acme/v1": an unknown schema`; undefined if there is no problem. */
function describeVersion(record: JsonObject): string | undefined {
  const problem = readVersion(record.schema_version)?.problem;
  return problem && `schema_version ${previewValue(record.schema_version)}: ${problem}`;
}

/** The fault of an invalid record that says it is of a schema that nobody here knows. */
function findOtherFormat(
  record: JsonObject,
  guess: TypeGuess | undefined,
): StructureFault | undefined {
  const said = readVersion(record.schema_version);
  if (said === undefined || said.schema !== undefined) return undefined;
  return describeUnfit(record, guess);
}

/** Most fields that are named. */
const MAX_NAMED = 4;

function describeMissing(fields: readonly string[]): string {
  const more = fields.length - MAX_NAMED;
  return `${fields.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The fault of a record that is no branch although `type` is a branch's. */
function findForeign(record: JsonObject, type: EntryTypeName): StructureFault | undefined {
  const guess = isBranchType(type) ? guessType(record) : undefined;
  if (guess === undefined || !guess.isNear || isBranchType(guess.name)) return undefined;
  const relation = guess.isComplete ? "is" : "is closest to";
  const article = /^[AEIOU]/.test(guess.name) ? "an" : "a";
  const message = `${relation} ${article} ${guess.name}, not a branch: give the branches that it was exported from`;
  return { id: "not-a-branch", pointer: "", message };
}
