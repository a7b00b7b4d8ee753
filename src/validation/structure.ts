import { type EntryTypeName, entryTypes, findErrors } from "#generated/index.js";
import { describeError } from "../json/schema-error.js";
import type { JsonObject } from "../json/value.js";

/** Types of branches, before and after ranking. Several branches form a rollout. */
export const BRANCH_TYPES = [
  "RolloutBranch",
  "RolloutBranchRecord",
] as const satisfies EntryTypeName[];

type BranchType = (typeof BRANCH_TYPES)[number];

/** Tells whether records of this type are branches. */
export function isBranchType(type: string): type is BranchType {
  return BRANCH_TYPES.some((branchType) => branchType === type);
}

/** One violation of a JSON Schema keyword. */
interface StructureFault {
  /** The JSON Schema keyword that failed. */
  readonly id: string;
  readonly pointer: string;
  readonly message: string;
}

/** A record's type, undefined if it cannot be inferred, and its faults. No faults: the record is valid. */
export interface Structure {
  readonly type: EntryTypeName | undefined;
  readonly faults: readonly StructureFault[];
}

/** The only fault of a record whose type cannot be inferred, named after the root keyword of the schemas. */
const UNRECOGNISED: StructureFault = {
  id: "anyOf",
  pointer: "",
  message: "its fields match no record type: give one with --type",
};

/** Checks `record` against the schema of `type`. By default the type is inferred from its fields. */
export function checkStructure(record: JsonObject, type?: EntryTypeName): Structure {
  const meant = type ?? inferEntryType(record);
  if (meant === undefined) return { type: undefined, faults: [UNRECOGNISED] };
  const errors = findErrors(meant, record);
  return {
    type: meant,
    faults: errors.map((error) => ({
      id: error.keyword,
      pointer: error.pointer,
      message: describeError(error, record),
    })),
  };
}

const inferable = entryTypes.filter(({ inferred, required }) => inferred && required.length > 0);

/** Maps each field to the types that require it, by index. */
const requiring = new Map<string, readonly number[]>();
for (const [index, { required }] of inferable.entries()) {
  for (const field of required) requiring.set(field, [...(requiring.get(field) ?? []), index]);
}

/**
 * Infers the entry type of `record` from its field names. The best match has the most required fields present,
 * minus those missing; on a tie, the first type in schema order. Undefined if no required field of any type is
 * present.
 *
 * Never infers a type without required fields, nor a type of the tool's own schemas, which the registry marks.
 */
export function inferEntryType(record: JsonObject): EntryTypeName | undefined {
  const present = inferable.map(() => 0);
  for (const field in record) {
    for (const index of requiring.get(field) ?? []) present[index] = (present[index] ?? 0) + 1;
  }
  let best: { readonly name: EntryTypeName; readonly score: number } | undefined;
  for (const [index, { name, required }] of inferable.entries()) {
    const found = present[index] ?? 0;
    const score = 2 * found - required.length;
    if (found > 0 && (best === undefined || score > best.score)) best = { name, score };
  }
  return best?.name;
}
