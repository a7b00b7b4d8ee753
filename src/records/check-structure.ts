import { type EntryTypeName, findErrors } from "#generated/index.js";
import { describeError } from "../json/schema-error.js";
import type { JsonObject } from "../json/value.js";
import { inferEntryType } from "./infer-entry-type.js";

/** One way in which a record breaks its JSON Schema. */
export interface StructureFault {
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
