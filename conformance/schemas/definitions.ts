import { FileFault } from "../../src/findings/finding.js";
import { toPointerToken } from "../../src/json/pointer.js";
import type { SourceSchema } from "./load.js";
import { mapSubschemas, type SchemaNode } from "./nodes.js";

/** A definition with the schema that holds it. */
export interface Definition {
  readonly name: string;
  readonly schema: SourceSchema;
  /** Its `$ref`s are names of definitions, which are unique over all schemas. */
  readonly node: SchemaNode;
}

/** All definitions of all schemas by name, in the order of the files. */
export type Definitions = ReadonlyMap<string, Definition>;

/**
 * Gathers the definitions and replaces each `$ref` by the name of what it points at. References may
 * point at `$defs` of the same file (`#/$defs/X`) or of another file in `schema/` (`<its
 * $id>#/$defs/X`). Any other, and a name that is defined twice, is a fault: it is thrown unless `onFault` takes
 * it, and what is given then is not whole.
 */
export function linkDefinitions(
  schemas: readonly SourceSchema[],
  onFault: (fault: FileFault) => void = raise,
): Definitions {
  const byId = new Map(schemas.map((schema) => [schema.id, schema]));
  const definitions = new Map<string, Definition>();
  for (const schema of schemas) {
    const link = (node: SchemaNode, pointer: string): SchemaNode => {
      if (typeof node !== "object") return node; // a boolean schema, which the profile refuses
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
        onFault(toFault(schema, pointer, `is defined in ${other.file} too: rename one`));
      }
      definitions.set(name, { name, schema, node: link(node, pointer) });
    }
  }
  return definitions;
}

function raise(fault: FileFault): never {
  throw fault;
}

/** The definitions of one schema, in their order. */
export function definitionsIn(schema: SourceSchema, definitions: Definitions): Definition[] {
  return [...definitions.values()].filter((definition) => definition.schema === schema);
}

/** The definition of this name, which `linkDefinitions` has seen to. */
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

/** What an object type says of its fields. */
export interface Declared {
  readonly properties: Readonly<Record<string, SchemaNode>>;
  readonly required: readonly string[];
}

/** What `node` and everything that it refers to by `$ref` and `allOf` say of its fields. */
export function declaredIn(node: SchemaNode, definitions: Definitions): Declared {
  return merge([node, ...basesOf(node, definitions)]);
}

/** The same without what the node says itself. */
export function inheritedBy(node: SchemaNode, definitions: Definitions): Declared {
  return merge(basesOf(node, definitions));
}

/** Of several nodes that speak of one field, the nearest counts. `nodes`: the nearest first. */
function merge(nodes: readonly SchemaNode[]): Declared {
  const farFirst = nodes.toReversed();
  return {
    properties: Object.assign({}, ...farFirst.map(({ properties }) => properties)),
    required: [...new Set(farFirst.flatMap(({ required = [] }) => required))],
  };
}

/** The nodes that apply to the same value because `node` refers to them, each before those that it refers to. */
export function basesOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const { $ref, allOf = [] } = node;
  const bases = [...allOf, ...($ref === undefined ? [] : [definitionOf($ref, definitions).node])];
  return bases.flatMap((base) => [base, ...basesOf(base, definitions)]);
}

/**
 * A way through a directed graph that comes back to where it began, `[a, b, a]`; undefined when there is none.
 * Each node is looked at once, so that many ways to one node take no longer.
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
