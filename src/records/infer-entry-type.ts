import { type EntryTypeName, entryTypes } from "#generated/index.js";
import type { JsonObject } from "./json-object.js";

/**
 * The entry type that `record` is meant to be, judged by the names of its fields alone: the one
 * with the most required fields present less those missing; the first of the schemas' order when
 * two are equal. Undefined when no type's required field is present: its shape says nothing.
 *
 * A type without required fields cannot be recognised and is never inferred, nor is one of the tool's own
 * schemas, which the registry says.
 */
export function inferEntryType(record: JsonObject): EntryTypeName | undefined {
  let best: { readonly name: EntryTypeName; readonly score: number } | undefined;
  for (const { name, inferred, required } of entryTypes) {
    if (!inferred) continue;
    const present = required.filter((field) => Object.hasOwn(record, field)).length;
    if (present === 0) continue;
    const score = present - (required.length - present);
    if (best === undefined || score > best.score) best = { name, score };
  }
  return best?.name;
}
