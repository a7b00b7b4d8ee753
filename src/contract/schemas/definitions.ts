import type { SchemaTier } from "#generated/index.js";
import type { JsonObject } from "../../base/json/value.js";
import type { SchemaNode } from "./nodes.js";

/** A schema file, with the information that every target needs. */
export interface SourceSchema {
  /** Path from the root, with forward slashes; for a document that is no file, such as a metaschema, its URI. */
  readonly file: string;
  /** Name of its modules, such as `rollout-wire`: lower-case words with hyphens, which no other schema has. */
  readonly name: string;
  /** Its `$id`, else its file. Has no white space. */
  readonly id: string;
  readonly canonicalHash: string;
  /** As written, in whatever dialect. */
  readonly document: JsonObject;
  /** Names of the types of its records; those of a union are its members. */
  readonly entryTypes: readonly string[];
  /** "wire" if no registry says otherwise. */
  readonly tier: SchemaTier;
}

/** A definition with its schema. */
export interface Definition {
  /** In PascalCase; it may end in `_`. Unique across all schemas. */
  readonly name: string;
  readonly schema: SourceSchema;
  /** JSON Pointer in the file, as written; "" is the whole document. */
  readonly pointer: string;
  /** In normal form: any schema. Its `$ref`s are names of definitions, and may lead back to it. */
  readonly node: SchemaNode;
}

/** All definitions of all schemas by name, in the order of the files. */
export type Definitions = ReadonlyMap<string, Definition>;

/** A location in a schema file. */
export interface SchemaPlace {
  readonly file: string;
  /** JSON Pointer. */
  readonly pointer: string;
}

/** The definitions of one schema, in order. */
export function definitionsIn(schema: SourceSchema, definitions: Definitions): Definition[] {
  return [...definitions.values()].filter((definition) => definition.schema === schema);
}

/** The definition of this name, which exists in linked schemas. */
export function definitionOf(name: string, definitions: Definitions): Definition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new Error(`there is no definition ${name}`);
  return definition;
}

/** The field declarations of an object type. */
export interface Declared {
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: readonly string[];
}

/** The field declarations of `node` and of everything that it refers to by `$ref` and `allOf`. */
export function declaredIn(node: SchemaNode, definitions: Definitions): Declared {
  return merge([node, ...basesOf(node, definitions)]);
}

/** The same without the node's own declarations. */
export function inheritedBy(node: SchemaNode, definitions: Definitions): Declared {
  return merge(basesOf(node, definitions));
}

/** If several nodes declare a field, the nearest one counts. `nodes`: nearest first. */
function merge(nodes: readonly SchemaNode[]): Declared {
  const farFirst = nodes.toReversed();
  return {
    properties: Object.assign({}, ...farFirst.map(({ properties }) => properties)),
    required: [...new Set(farFirst.flatMap(({ required = [] }) => required))],
  };
}

/** The nodes that apply to the same value through references of `node`, each once, before its own references. */
export function basesOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const found = new Set<SchemaNode>();
  const visit = ({ $ref, allOf = [] }: SchemaNode): void => {
    const target = $ref === undefined ? [] : [definitionOf($ref, definitions).node];
    for (const base of [...allOf, ...target]) {
      if (found.has(base)) continue;
      found.add(base);
      visit(base);
    }
  };
  visit(node);
  return [...found];
}

/**
 * A cycle in a directed graph, such as `[a, b, a]`; undefined if there is none. Visits each node once, so the
 * time does not depend on the number of paths.
 */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
