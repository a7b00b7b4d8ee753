import type { Definitions } from "../../schemas/definitions.js";
import type { SchemaNode } from "../../schemas/nodes.js";
import { readFiles } from "../front/link-files.js";

/** The definitions of a schema of tier "wire" in memory; `$ref`s are `#/$defs/<name>`. `format` is an assertion. */
export function linkTypes(
  $defs: Readonly<Record<string, SchemaNode>>,
  entryTypes: readonly string[] = Object.keys($defs),
): Definitions {
  const anyOf = entryTypes.map((name) => ({ $ref: `#/$defs/${name}` }));
  const bytes = Buffer.from(JSON.stringify({ $id: "https://example.org/x", anyOf, $defs }));
  const file = { path: "schema/x.schema.json", bytes, tier: "wire" as const };
  return readFiles([file], { formats: "assert" }).definitions;
}
