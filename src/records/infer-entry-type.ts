import { type EntryTypeName, entryTypes } from "#generated/index.js";
import type { JsonObject } from "../json/value.js";

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
