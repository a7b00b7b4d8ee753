import { FileFault } from "../../src/findings/finding.js";
import { toPointerToken } from "../../src/json/pointer.js";
import type { SourceSchema } from "./load-schemas.js";
import { mapSubschemas } from "./map-subschemas.js";
import type { SchemaNode } from "./schema-node.js";

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
