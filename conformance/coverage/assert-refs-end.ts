import { EXIT, UserError } from "../../src/user-error.js";
import { type Definition, type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";

/** Throws UserError for a definition that refers to itself without a step into the value: judging it would never end. */
export function assertRefsEnd(definitions: Definitions): void {
  const visit = ({ name, node, schema }: Definition, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path, name].join(" > ");
      throw new UserError(
        `${schema.file} /$defs/${name} refers to itself without end: ${cycle}`,
        EXIT.findings,
      );
    }
    for (const ref of refsAt(node)) visit(definitionOf(ref, definitions), [...path, name]);
  };
  for (const definition of definitions.values()) visit(definition, []);
}

/** What judges the same value as the node. */
function refsAt({ $ref, allOf = [] }: SchemaNode): string[] {
  return [...($ref === undefined ? [] : [$ref]), ...allOf.flatMap(refsAt)];
}
