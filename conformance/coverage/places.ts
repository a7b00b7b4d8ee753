import { isJsonObject } from "../../src/base/json/value.js";
import {
  basesOf,
  type Definition,
  type Definitions,
  definitionOf,
} from "../../src/contract/schemas/definitions.js";
import { type PlacedNode, type SchemaNode, walkNodes } from "../../src/contract/schemas/nodes.js";
import { type FixtureContent, toValue } from "../fixtures/fixture.js";
import { createSample } from "./samples.js";

/** The names of a place in a record. */
export interface PlaceWords {
  /** For names of cases, innermost first; as many more as needed to be unambiguous. */
  readonly names: readonly string[];
  /** For the start of a sentence. */
  readonly phrase: string;
  /** The schema's description, as a clause that follows a colon; "" if there is none. */
  readonly meaning: string;
}

/** Finds the names of the place at `path` in a record of `type`. */
export function describePlace(
  type: string,
  path: readonly string[],
  definitions: Definitions,
): PlaceWords {
  const route = followPath(type, path, definitions);
  const steps = route?.steps ?? [];
  const names = path.filter((_, index) => steps[index]?.kind !== "item");
  const isItem = steps.at(-1)?.kind === "item";
  const whole = names.length === 0 ? `The ${type}` : names.join(".");
  // The whole record needs no description.
  const nodes = path.length === 0 ? [] : (route?.nodes ?? []);
  const described = nodes.find(({ description }) => description !== undefined);
  return {
    names: [
      `${names.at(-1) ?? type}${isItem ? " item" : ""}`,
      ...names.toReversed().slice(1),
      type,
    ],
    phrase: isItem ? `An item of ${whole}` : whole,
    meaning: toClause(described?.description ?? ""),
  };
}

/** The first sentence of a description, as it follows a colon. */
function toClause(description: string): string {
  const [sentence = ""] = description.split(/(?<=[.;])\s/);
  const clause = sentence.replace(/[.;]$/, "");
  // A word with a digit, such as Layer 1, is a name; so is one with inner capitals.
  const isPlainWord = /^[A-Z][a-z]*('s)?[ ,:]/.test(clause) && !/^\w+ \d/.test(clause);
  return isPlainWord ? `${clause.charAt(0).toLowerCase()}${clause.slice(1)}` : clause;
}

/** A record, and the place in it that a route leads to. */
export interface ReachedPlace {
  readonly record: unknown;
  readonly path: readonly string[];
}

/** Follows `steps` from `value`, and creates missing parts with minimal values. */
export function reachPlace(
  value: unknown,
  steps: readonly Step[],
  definitions: Definitions,
): ReachedPlace {
  const [step, ...rest] = steps;
  if (step === undefined) return { record: value, path: [] };
  const follow = (inner: unknown): ReachedPlace =>
    reachPlace(inner ?? createSample(step.node, definitions), rest, definitions);
  if (step.kind === "item") {
    const items: unknown[] = Array.isArray(value) ? value : [];
    // If the array is shorter, its last item is the closest match.
    const at = Math.max(0, Math.min(step.index, items.length - 1));
    const { record, path } = follow(items[at]);
    return { record: items.toSpliced(at, 1, record), path: [`${at}`, ...path] };
  }
  const fields = isJsonObject(value) ? value : {};
  const name = step.kind === "property" ? step.name : (Object.keys(fields)[0] ?? "entry");
  const { record, path } = follow(fields[name]);
  return { record: { ...fields, [name]: record }, path: [name, ...path] };
}

/** One step from a value to a part of it. */
export type Step =
  | { readonly kind: "property"; readonly name: string; readonly node: SchemaNode }
  | { readonly kind: "item"; readonly index: number; readonly node: SchemaNode }
  | { readonly kind: "entry"; readonly node: SchemaNode };

/** How a node is reached from a record of a type. */
export interface Route {
  readonly type: string;
  readonly steps: readonly Step[];
}

/** The shortest route to `target` from an entry type; undefined if there is none. */
export function findRoute(target: SchemaNode, definitions: Definitions): Route | undefined {
  const entries = [...definitions.values()].filter(({ name, schema }) =>
    schema.entryTypes.includes(name),
  );
  const queue = entries.map(({ name, node }) => ({
    node,
    route: { type: name, steps: [] as Step[] },
  }));
  const seen = new Set<SchemaNode>();
  // Breadth first: the queue grows while it is processed.
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

/** A route with all nodes that apply to the place at its end, the nearest first. */
export interface CheckedRoute extends Route {
  readonly nodes: readonly SchemaNode[];
}

/** Follows `path` from a record of `type`; undefined if the schemas do not describe that place. */
export function followPath(
  type: string,
  path: readonly string[],
  definitions: Definitions,
): CheckedRoute | undefined {
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

/** The value at `path`; undefined if there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, token) => {
    if (Array.isArray(value)) return value[Number(token)];
    return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }, root);
}

/** A copy of `root` with `value` at `path`, whose parent must exist. */
export function replaceAt(root: unknown, path: readonly string[], value: unknown): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (Array.isArray(root)) {
    return root.with(Number(token), replaceAt(root[Number(token)], rest, value));
  }
  if (!isJsonObject(root))
    throw new TypeError(`there is no ${token} in a value that is not a container`);
  return { ...root, [token]: replaceAt(root[token], rest, value) };
}

/** The records of a fixture, each of which is validated separately; empty for a text that is not JSON. */
export function recordsOf(content: FixtureContent): readonly unknown[] {
  if ("rollout" in content) return content.rollout;
  const record = toValue(content);
  return record === undefined ? [] : [record];
}

/** A node of a definition; its pointer is relative to the definition. */
export interface Location extends PlacedNode {
  readonly definition: Definition;
}

/** Every node of every definition, in the order of the files. */
export function listLocations(definitions: Definitions): Location[] {
  return [...definitions.values()].flatMap((definition) =>
    [...walkNodes(definition.node)].map((placed) => ({
      ...placed,
      definition,
    })),
  );
}

/**
 * The words of a name in kebab-case, such as `toolName`, `n_gram_hash` and `state summary`; "" if it has
 * none.
 */
export function toKebabCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
