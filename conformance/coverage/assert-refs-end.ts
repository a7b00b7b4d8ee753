import { FileFault } from "../../src/findings/finding.js";
import { toPointerToken } from "../../src/json/pointer.js";
import { findCycle } from "../schemas/find-cycle.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";

/**
 * Throws FileFault for a definition that refers to itself without a step into the value: judging it
 * would never end.
 */
export function assertRefsEnd(definitions: Definitions): void {
  const graph = new Map([...definitions].map(([name, { node }]) => [name, refsAt(node)]));
  const cycle = findCycle(graph);
  const [name] = cycle ?? [];
  if (cycle === undefined || name === undefined) return;
  throw new FileFault({
    id: "schema",
    file: definitionOf(name, definitions).schema.file,
    pointer: `/$defs/${toPointerToken(name)}`,
    message: `refers to itself without end: ${cycle.join(" > ")}`,
  });
}

/** What judges the same value as the node. */
function refsAt({ $ref, allOf = [] }: SchemaNode): string[] {
  return [...($ref === undefined ? [] : [$ref]), ...allOf.flatMap(refsAt)];
}
