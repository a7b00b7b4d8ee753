import { basesOf } from "../schemas/declared.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import type { Route, Step } from "./find-route.js";

/** A route with all nodes that judge the place at its end, the nearest first. */
export interface JudgedRoute extends Route {
  readonly nodes: readonly SchemaNode[];
}

/** Follows `path` from a record of `type`; undefined when the schemas say nothing of that place. */
export function followPath(
  type: string,
  path: readonly string[],
  definitions: Definitions,
): JudgedRoute | undefined {
  const withBases = (node: SchemaNode) => [node, ...basesOf(node, definitions)];
  let nodes = withBases(definitionOf(type, definitions).node);
  const steps: Step[] = [];
  for (const token of path) {
    const step = stepInto(nodes, token);
    if (step === undefined) return undefined;
    steps.push(step);
    nodes = withBases(step.node);
  }
  return { type, steps, nodes };
}

function stepInto(nodes: readonly SchemaNode[], token: string): Step | undefined {
  for (const { properties = {}, items, additionalProperties } of nodes) {
    const child = Object.hasOwn(properties, token) ? properties[token] : undefined;
    if (child !== undefined) return { kind: "property", name: token, node: child };
    if (items !== undefined && /^\d+$/.test(token)) {
      return { kind: "item", index: Number(token), node: items };
    }
    if (typeof additionalProperties === "object") {
      return { kind: "entry", node: additionalProperties };
    }
  }
  return undefined;
}
