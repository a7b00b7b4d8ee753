import { addTo, groupBy } from "../../../base/group-by.js";
import { memoize } from "../../../base/memoize.js";
import { exactMemberText } from "../schema/exact-numbers.js";
import { childOf, type SchemaLocation, type SchemaSet } from "../schema/schema-set.js";
import { type Schema, type Subschema, subschemas } from "../schema/subschemas.js";
import { isAnnotation } from "./to-formula.js";

/** Limit on the steps that tell apart schemas in cycles: cycles of thousands of schemas would take minutes. */
const MAX_REFINEMENTS = 1_000_000;

/** A schema in the graph of subschemas and references. */
interface Node {
  /** The number of its own keywords, without subschemas. */
  readonly own: number;
  /** Its subschemas, in the order of their pointers, and the targets of its references. */
  readonly children: Node[];
  /** The name of its class; undefined until it is determined. */
  class: string | undefined;
}

/**
 * Classes of equivalent schemas. Schemas of one class differ only in annotations, in the order of keys, and in the
 * names and places of the definitions that they refer to.
 */
export class SchemaClasses {
  readonly #nodes = new WeakMap<SchemaSet, Map<object, Node>>();
  readonly #classes = new Map<string, string>();
  /** Schemas that are part of a cycle, or lead to one. */
  readonly #circular: Node[] = [];
  /** Numbers of own keywords. */
  readonly #owns = new Map<string, number>();
  readonly #always = this.#createConstant("");
  readonly #never = this.#createConstant("false");
  #refinements = MAX_REFINEMENTS;

  /** The same text for schemas of one class. */
  of(location: SchemaLocation): string {
    const known = this.#find(location);
    if (known?.class !== undefined) return known.class;
    const found = this.#discover(location);
    this.#classify(found);
    return String(found[0]?.class);
  }

  #find({ set, schema }: SchemaLocation): Node | undefined {
    if (typeof schema === "boolean") return schema ? this.#always : this.#never;
    return this.#nodes.get(set)?.get(schema);
  }

  /** The schema and everything reachable from it that is not known yet. */
  #discover(root: SchemaLocation): Node[] {
    const found: Node[] = [];
    const waiting: [SchemaLocation, Node, readonly Subschema[]][] = [];
    const visit = (location: SchemaLocation): Node => {
      const known = this.#find(location);
      if (known !== undefined) return known;
      const below = relevantSubschemas(location);
      const node = this.#createNode(ownTextOf(location, below));
      const nodes = this.#nodes.get(location.set) ?? new Map<object, Node>();
      this.#nodes.set(location.set, nodes.set(Object(location.schema), node));
      found.push(node);
      waiting.push([location, node, below]);
      return node;
    };
    visit(root);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [location, node, below] = next;
      for (const child of childrenOf(location, below)) node.children.push(visit(child));
    }
    return found;
  }

  #createNode(text: string): Node {
    const own = this.#owns.get(text) ?? this.#owns.size;
    this.#owns.set(text, own);
    return { own, children: [], class: undefined };
  }

  #createConstant(text: string): Node {
    const node = this.#createNode(text);
    node.class = this.#classOf(node);
    return node;
  }

  /** Classifies acyclic schemas bottom-up: same keywords and same classes of children. */
  #classify(found: readonly Node[]): void {
    const parents = new Map<Node, Node[]>();
    const open = new Map<Node, number>();
    for (const node of found) {
      const unknown = node.children.filter((child) => child.class === undefined);
      open.set(node, unknown.length);
      for (const child of unknown) addTo(parents, child, node);
    }
    const settled = found.filter((node) => open.get(node) === 0);
    for (const node of settled) {
      node.class = this.#classOf(node);
      for (const parent of parents.get(node) ?? []) {
        const left = (open.get(parent) ?? 0) - 1;
        open.set(parent, left);
        if (left === 0) settled.push(parent);
      }
    }
    const circular = found.filter((node) => node.class === undefined);
    if (circular.length > 0) this.#classifyCircular(circular);
  }

  /** Names those of a part alike, with schemas that were classified before. */
  #classifyCircular(found: readonly Node[]): void {
    const kinds = new Set(found.map(kindOf));
    const all = [...this.#circular.filter((node) => kinds.has(kindOf(node))), ...found];
    this.#circular.push(...found);
    const parts = this.#partition(all);
    const classes = new Map<number | undefined, string>();
    for (const node of all) {
      const part = parts.get(node);
      node.class ??= classes.get(part) ?? this.#createClass();
      classes.set(part, node.class);
    }
  }

  /** Refines the partition of cyclic schemas until it is stable. Looks only at those of which a child was parted from others. */
  #partition(all: readonly Node[]): ReadonlyMap<Node, number> {
    const parents = new Map<Node, Node[]>();
    for (const node of all) for (const child of node.children) addTo(parents, child, node);
    const parts = new Map<Node, number>();
    const sizes: number[] = [];
    const part = (nodes: readonly Node[]): void => {
      for (const node of nodes) parts.set(node, sizes.length);
      sizes.push(nodes.length);
    };
    for (const nodes of groupBy(all, kindOf).values()) part(nodes);
    for (let touched = new Set(all); touched.size > 0; ) {
      this.#refinements -= touched.size;
      // As if all of them differed: that may leave a comparison undecided, and is never wrong.
      if (this.#refinements < 0) return new Map(all.map((node, index) => [node, index]));
      const parted: Node[][] = [];
      for (const [number = 0, nodes] of groupBy(touched, (node) => parts.get(node))) {
        const below = (node: Node) => node.children.map((child) => parts.get(child) ?? child.class);
        const [first = [], ...others] = groupBy(nodes, (node) => below(node).join(" ")).values();
        // What was not touched differs from all of these, and stays.
        const leaving = nodes.length === sizes[number] ? others : [first, ...others];
        sizes[number] = (sizes[number] ?? 0) - leaving.flat().length;
        parted.push(...leaving);
      }
      for (const nodes of parted) part(nodes);
      touched = new Set(parted.flat().flatMap((node) => parents.get(node) ?? []));
    }
    return parts;
  }

  #classOf({ own, children }: Node): string {
    const text = `${own}\n${children.map((child) => child.class).join(" ")}`;
    const known = this.#classes.get(text) ?? `s${this.#classes.size}`;
    this.#classes.set(text, known);
    return known;
  }

  /** A new class. */
  #createClass(): string {
    const name = `s${this.#classes.size}`;
    this.#classes.set(`circular ${name}`, name);
    return name;
  }
}

/** What schemas of one class have in common: their own keywords, and those of their children. */
const kindOf = memoize(({ own, children }: Node): string =>
  [own, ...children.map((child) => child.own)].join(" "),
);

/** Its own keywords, without subschemas. */
function ownTextOf(location: SchemaLocation, below: readonly Subschema[]): string {
  const { schema, set } = location;
  const keywordsBelow = new Set(below.map(([, , keyword]) => keyword));
  const own: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword, set.format) || keywordsBelow.has(keyword)) continue;
    // The target of a reference is among the children.
    const text = keyword === "$ref" ? "" : textOf(schema, keyword, value);
    own.push(`${JSON.stringify(keyword)} ${text}`);
  }
  return [...own.sort(), ...below.map(([pointer]) => pointer)].join("\n");
}

function relevantSubschemas({ schema, set }: SchemaLocation): readonly Subschema[] {
  return subschemas(schema)
    .filter(([, , keyword]) => !isAnnotation(keyword, set.format))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function childrenOf(location: SchemaLocation, below: readonly Subschema[]): SchemaLocation[] {
  const children = below.map(([pointer]) => childOf(location, pointer));
  const { $ref } = Object(location.schema);
  return typeof $ref === "string" ? [...children, location.set.resolve(location, $ref)] : children;
}

/** The same text for equivalent values. */
function textOf(schema: Schema, keyword: string, value: unknown): string {
  const isUnordered = ["required", "enum", "type"].includes(keyword) && Array.isArray(value);
  return isUnordered
    ? `[${value.map((_, index) => exactMemberText(value, index)).sort()}]`
    : exactMemberText(Object(schema), keyword);
}
