import { FileFault } from "../../base/findings/finding.js";
import { toPointerToken } from "../../base/json/pointer.js";
import type { SourceSchema } from "./load.js";
import { mapSubschemas, type SchemaNode } from "./nodes.js";

/** A definition with its schema. */
export interface Definition {
  readonly name: string;
  readonly schema: SourceSchema;
  /** Its `$ref`s are names of definitions, which are unique across all schemas. */
  readonly node: SchemaNode;
}

/** All definitions of all schemas by name, in the order of the files. */
export type Definitions = ReadonlyMap<string, Definition>;

/**
 * Collects the definitions and replaces each `$ref` by the name of its target. References may point to
 * `$defs` of the same file (`#/$defs/X`) or of another file in `schema/` (`<its $id>#/$defs/X`). Any other
 * reference, and a duplicate name, is a fault. It is thrown, unless `onFault` is given; then the result is
 * incomplete.
 */
export function linkDefinitions(
  schemas: readonly SourceSchema[],
  onFault: (fault: FileFault) => void = raise,
): Definitions {
  const byId = new Map(schemas.map((schema) => [schema.id, schema]));
  const definitions = new Map<string, Definition>();
  for (const schema of schemas) {
    const link = (node: SchemaNode, pointer: string): SchemaNode => {
      if (typeof node !== "object") return node; // a boolean schema, which the profile rejects
      const linked = mapSubschemas(node, (child, path) =>
        link(child, [pointer, ...path.map(toPointerToken)].join("/")),
      );
      if (node.$ref === undefined) return linked;
      const target = findTarget(node.$ref, schema, byId);
      if ("name" in target) return { ...linked, $ref: target.name };
      onFault(toFault(schema, `${pointer}/$ref`, target.message));
      return linked;
    };
    for (const [name, node] of Object.entries(schema.document.$defs ?? {})) {
      const pointer = `/$defs/${toPointerToken(name)}`;
      const other = definitions.get(name)?.schema;
      if (other !== undefined) {
        onFault(toFault(schema, pointer, `is defined in ${other.file} too: rename one of them`));
      }
      definitions.set(name, { name, schema, node: link(node, pointer) });
    }
  }
  return definitions;
}

function raise(fault: FileFault): never {
  throw fault;
}

/** The definitions of one schema, in order. */
export function definitionsIn(schema: SourceSchema, definitions: Definitions): Definition[] {
  return [...definitions.values()].filter((definition) => definition.schema === schema);
}

/** The definition of this name, which exists after `linkDefinitions`. */
export function definitionOf(name: string, definitions: Definitions): Definition {
  const definition = definitions.get(name);
  if (definition === undefined) throw new Error(`there is no definition ${name}`);
  return definition;
}

function findTarget(
  ref: string,
  from: SourceSchema,
  byId: ReadonlyMap<string, SourceSchema>,
): { readonly name: string } | { readonly message: string } {
  const [id = "", fragment = ""] = ref.split("#", 2);
  const schema = id === "" ? from : byId.get(id);
  if (schema === undefined) {
    const message = `refers to "${ref}": no file in schema/ has this $id, and nothing is ever fetched`;
    return { message };
  }
  const name = fragment.replace(/^\/\$defs\//, "");
  if (name === fragment || !Object.hasOwn(schema.document.$defs ?? {}, name)) {
    return { message: `refers to "${ref}": ${schema.file} has no such member of "$defs"` };
  }
  return { name };
}

function toFault({ file }: SourceSchema, pointer: string, message: string): FileFault {
  return new FileFault({ id: "ref", file, pointer, message });
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

/** The nodes that apply to the same value through references of `node`, each before its own references. */
export function basesOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const { $ref, allOf = [] } = node;
  const bases = [...allOf, ...($ref === undefined ? [] : [definitionOf($ref, definitions).node])];
  return bases.flatMap((base) => [base, ...basesOf(base, definitions)]);
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
