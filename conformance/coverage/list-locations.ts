import type { Definition, Definitions } from "../schemas/link-definitions.js";
import { type PlacedNode, walkNodes } from "../schemas/walk-nodes.js";

/** A node of a definition; its pointer leads there from the root of the schema's file. */
export interface Location extends PlacedNode {
  readonly definition: Definition;
}

/** Every node of every definition, in the order of the files. */
export function listLocations(definitions: Definitions): Location[] {
  return [...definitions.values()].flatMap((definition) =>
    [...walkNodes(definition.node, ["$defs", definition.name])].map((placed) => ({
      ...placed,
      definition,
    })),
  );
}
