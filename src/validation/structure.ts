import { type EntryTypeName, entryTypes, findErrors } from "#generated/index.js";
import { describeError } from "../json/schema-error.js";
import type { JsonObject } from "../json/value.js";

/** The types of which several records make a rollout: before ranking, and after. */
export const BRANCH_TYPES = [
  "RolloutBranch",
  "RolloutBranchRecord",
] as const satisfies EntryTypeName[];

type BranchType = (typeof BRANCH_TYPES)[number];

/** Whether records of the type are branches. */
export function isBranchType(type: string): type is BranchType {
  return BRANCH_TYPES.some((branchType) => branchType === type);
}

/** One way in which a record breaks its JSON Schema. */
interface StructureFault {
  /** Keyword of JSON Schema that failed. */
  readonly id: string;
  readonly pointer: string;
  readonly message: string;
}

/** Type of a record, undefined when its shape says nothing, and its faults; none: it is valid. */
export interface Structure {
  readonly type: EntryTypeName | undefined;
  readonly faults: readonly StructureFault[];
}

/** The one fault of a record whose shape fits no type, by the keyword of the schemas' roots. */
const UNRECOGNISED: StructureFault = {
  id: "anyOf",
  pointer: "",
  message: "fits no record type by its fields: name one with --type",
};

/** Checks `record` against the schema of `type`, by default of the type that its shape suggests. */
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

/** The types, by their index above, that require a field. */
const requiring = new Map<string, readonly number[]>();
for (const [index, { required }] of inferable.entries()) {
  for (const field of required) requiring.set(field, [...(requiring.get(field) ?? []), index]);
}

/**
 * The entry type that `record` is meant to be, judged by the names of its fields alone: the one
 * with the most required fields present less those missing; the first of the schemas' order when
 * two are equal. Undefined when no type's required field is present: its shape says nothing.
 *
 * A type without required fields cannot be recognised and is never inferred, nor is one of the tool's own
 * schemas, which the registry says.
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
