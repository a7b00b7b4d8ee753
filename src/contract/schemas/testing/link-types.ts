import { type Definitions, linkDefinitions } from "../definitions.js";
import type { SchemaNode } from "../nodes.js";

/** The linked definitions of a schema in memory; `$ref`s are `#/$defs/<name>`. */
export function linkTypes(
  $defs: Readonly<Record<string, SchemaNode>>,
  entryTypes: readonly string[] = Object.keys($defs),
): Definitions {
  const id = "https://example.org/x";
  const file = "schema/x.schema.json";
  return linkDefinitions([
    {
      ...{ file, name: "x", id, canonicalHash: "", document: { $id: id, $defs } },
      ...{ entryTypes, tier: "wire" },
    },
  ]);
}
