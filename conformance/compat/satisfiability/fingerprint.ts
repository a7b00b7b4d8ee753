import canonicalize from "canonicalize";
import { isJsonObject, type JsonObject } from "../../../src/records/json-object.js";
import { UserError } from "../../../src/user-error.js";
import { childOf, type SchemaLocation, type SchemaSet } from "../schema-set.js";
import { type Schema, subschemas } from "../subschemas.js";
import { isAnnotation } from "./annotations.js";

/** A schema among those that are told apart. */
interface Node {
  /** What it says itself, without the schemas in it. */
  readonly own: string;
  /** The schemas in it, in the order of their pointers, and those that it refers to. */
  readonly children: Node[];
  /** The number of its class. */
  class: number;
}

/**
 * Tells the schemas of some sets apart: those that differ only in annotations, in the order of keys, and in the
 * names and places of what they refer to are of one class.
 */
export class Fingerprints {
  readonly #nodes = new Map<SchemaSet, Map<object, Node>>();
  readonly #names = new Map<string, number>();
  readonly #always: Node;
  readonly #never: Node;
  #unlike = 0;

  constructor(sets: Iterable<SchemaSet>) {
    this.#always = this.#createNode("");
    this.#never = this.#createNode("false");
    for (const set of sets) {
      this.#nodes.set(set, new Map());
      for (const location of [...set.locations()]) this.#nodeOf(location);
    }
    this.#classify([...this.#nodes.values()].flatMap((nodes) => [...nodes.values()]));
  }

  /** The same text for schemas of one class. */
  of({ set, schema }: SchemaLocation): string {
    if (typeof schema === "boolean") return `s${(schema ? this.#always : this.#never).class}`;
    const node = this.#nodes.get(set)?.get(schema);
    if (node === undefined) throw new TypeError("a schema that no document of the sets holds");
    return `s${node.class}`;
  }

  #nodeOf(root: SchemaLocation): Node {
    const waiting: [SchemaLocation, Node][] = [];
    const visit = (location: SchemaLocation): Node => {
      if (typeof location.schema === "boolean") return location.schema ? this.#always : this.#never;
      const nodes = this.#nodes.get(location.set) ?? new Map<object, Node>();
      const known = nodes.get(location.schema);
      if (known !== undefined) return known;
      const node = this.#createNode(this.#ownText(location.schema, location));
      nodes.set(location.schema, node);
      waiting.push([location, node]);
      return node;
    };
    const start = visit(root);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [location, node] = next;
      node.children.push(...childrenOf(location).map(visit));
    }
    return start;
  }

  #createNode(own: string): Node {
    return { own, children: [], class: this.#nameOf(own) };
  }

  #ownText(schema: JsonObject, location: SchemaLocation): string {
    const below = relevantSubschemas(location).map(([pointer]) => pointer);
    const keywordsBelow = new Set(below.map((pointer) => pointer.split("/", 2)[1]));
    const own = Object.entries(schema)
      .filter(
        ([keyword]) => !isAnnotation(keyword, location.set.format) && !keywordsBelow.has(keyword),
      )
      .map(([keyword, value]): string => {
        if (keyword !== "$ref" && keyword !== "$dynamicRef") {
          return `${JSON.stringify(keyword)} ${canonicalize(withoutOrder(keyword, value))}`;
        }
        // What leads nowhere, or depends on where it is come from, is like no other.
        const isKnown = targetOf(location, keyword) !== undefined;
        if (!isKnown) this.#unlike += 1;
        return `${keyword} ${isKnown || this.#unlike}`;
      });
    return [...own.sort(), ...below].join("\n");
  }

  /** Parts what differs until nothing more does. What leads to no circle is told apart by what is in it. */
  #classify(nodes: readonly Node[]): void {
    const parents = new Map<Node, Node[]>();
    const open = new Map<Node, number>();
    for (const node of nodes) {
      open.set(node, node.children.length);
      for (const child of node.children) {
        const known = parents.get(child);
        if (known === undefined) parents.set(child, [node]);
        else known.push(node);
      }
    }
    const settled = [this.#always, this.#never, ...nodes.filter((node) => open.get(node) === 0)];
    for (const node of settled) {
      node.class = this.#classOf(node);
      for (const parent of parents.get(node) ?? []) {
        const left = (open.get(parent) ?? 0) - 1;
        open.set(parent, left);
        if (left === 0) settled.push(parent);
      }
    }
    const done = new Set(settled);
    const circular = nodes.filter((node) => !done.has(node));
    for (let [before, after] = [-1, 0]; before !== after; ) {
      const classes = circular.map((node) => this.#classOf(node));
      for (const [index, node] of circular.entries()) node.class = classes[index] ?? 0;
      [before, after] = [after, new Set(classes).size];
    }
  }

  #classOf({ own, children }: Node): number {
    return this.#nameOf(`${own} ${children.map((child) => child.class).join(" ")}`);
  }

  #nameOf(text: string): number {
    const known = this.#names.get(text) ?? this.#names.size;
    this.#names.set(text, known);
    return known;
  }
}

function relevantSubschemas({
  schema,
  set,
}: SchemaLocation): (readonly [pointer: string, Schema])[] {
  return [...subschemas(schema)]
    .filter(([pointer]) => !isAnnotation(pointer.split("/", 2)[1] ?? "", set.format))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function childrenOf(location: SchemaLocation): SchemaLocation[] {
  const below = relevantSubschemas(location).map(([pointer, schema]) => {
    const known = typeof schema === "object" ? location.set.locate(schema) : undefined;
    return known ?? childOf(location, pointer);
  });
  const targets = REFERENCES.map((keyword) => targetOf(location, keyword));
  return [...below, ...targets.filter((target) => target !== undefined)];
}

const REFERENCES = ["$ref", "$dynamicRef"] as const;

/** Neighbours that nothing refers to may refer to what is not there. */
function targetOf(
  location: SchemaLocation,
  keyword: (typeof REFERENCES)[number],
): SchemaLocation | undefined {
  const { schema, set } = location;
  const reference = isJsonObject(schema) ? schema[keyword] : undefined;
  if (typeof reference !== "string") return undefined;
  try {
    return keyword === "$ref"
      ? set.resolve(location, reference)
      : set.resolveDynamic(location, reference);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Keywords whose members may stand in any order. */
function withoutOrder(keyword: string, value: unknown): unknown {
  const isUnordered = ["required", "enum", "type"].includes(keyword) && Array.isArray(value);
  return isUnordered ? value.map((each) => canonicalize(each)).sort() : value;
}
