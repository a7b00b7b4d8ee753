import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";

/** One step from a value to a part of it. */
export type Step =
  | { readonly kind: "property"; readonly name: string; readonly node: SchemaNode }
  | { readonly kind: "item"; readonly index: number; readonly node: SchemaNode }
  | { readonly kind: "entry"; readonly node: SchemaNode };

/** How a record of a type comes to be judged by a node. */
export interface Route {
  readonly type: string;
  readonly steps: readonly Step[];
}

/** The shortest route to `target` from an entry type; undefined when none leads there. */
export function findRoute(target: SchemaNode, definitions: Definitions): Route | undefined {
  const entries = [...definitions.values()].filter(({ name, schema }) =>
    schema.entryTypes.includes(name),
  );
  const queue = entries.map(({ name, node }) => ({
    node,
    route: { type: name, steps: [] as Step[] },
  }));
  const seen = new Set<SchemaNode>();
  // The queue grows while it is worked off: nearer nodes come first.
  for (const { node, route } of queue) {
    if (node === target) return route;
    if (seen.has(node)) continue;
    seen.add(node);
    const { $ref, allOf = [], properties = {}, items, additionalProperties } = node;
    const same = [...allOf, ...($ref === undefined ? [] : [definitionOf($ref, definitions).node])];
    queue.push(...same.map((other) => ({ node: other, route })));
    const steps: Step[] = Object.entries(properties).map(([name, child]) => ({
      kind: "property",
      name,
      node: child,
    }));
    if (items !== undefined) steps.push({ kind: "item", index: 0, node: items });
    if (typeof additionalProperties === "object") {
      steps.push({ kind: "entry", node: additionalProperties });
    }
    for (const step of steps) {
      queue.push({ node: step.node, route: { ...route, steps: [...route.steps, step] } });
    }
  }
  return undefined;
}
