import { type Schema, subschemas } from "../../src/compat/schema-set.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { atEntry } from "../../src/schemas/registry.js";
import { parseVersion } from "../../src/schemas/version.js";
import type { SchemaChange } from "./schema-change.js";

/**
 * Where a schema calls itself by another major version than the registry does: by its `$id`, or by a constant
 * such as that of `schema_version`. Readers tell versions that break apart by these.
 */
export function findIdFaults({ entry, index, present }: SchemaChange): FaultPlace[] {
  const { id, name, version } = entry;
  const own = `${name}/v${parseVersion(version).major}`;
  const constants = [...findConstants(present.value, name, own)].map((pointer) => {
    const message = `must be "${own}", since the registry calls the schema ${version}`;
    return { id: "version-id", file: present.file, pointer, message };
  });
  if (id.endsWith(`/${own}`)) return constants;
  const message = `must end with /${own}, here and as "$id" of ${entry.file}, since the version is ${version}`;
  return [atEntry(index, "id", "version-id", message), ...constants];
}

/** Pointers of the constants that name a version of the schema, but not its own. */
function* findConstants(schema: Schema, name: string, own: string, at = ""): Generator<string> {
  if (typeof schema === "boolean") return;
  const { const: text } = schema;
  if (typeof text === "string" && text !== own && text.startsWith(`${name}/v`)) yield `${at}/const`;
  for (const [pointer, child] of subschemas(schema)) {
    yield* findConstants(child, name, own, at + pointer);
  }
}
