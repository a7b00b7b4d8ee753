import { EXIT, UserError } from "../../src/user-error.js";
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
 * $id>#/$defs/X`). Throws UserError for any other, and for a name that is defined twice.
 */
export function linkDefinitions(schemas: readonly SourceSchema[]): Definitions {
  const byId = new Map(schemas.map((schema) => [schema.id, schema]));
  const definitions = new Map<string, Definition>();
  for (const schema of schemas) {
    const link = (node: SchemaNode): SchemaNode => {
      if (typeof node !== "object") return node; // a boolean schema, which the profile refuses
      const linked = mapSubschemas(node, link);
      return node.$ref === undefined
        ? linked
        : { ...linked, $ref: findTarget(node.$ref, schema, byId) };
    };
    for (const [name, node] of Object.entries(schema.document.$defs ?? {})) {
      const other = definitions.get(name)?.schema;
      if (other !== undefined) {
        throw invalid(schema, `/$defs/${name} is defined in ${other.file} too: rename one`);
      }
      definitions.set(name, { name, schema, node: link(node) });
    }
  }
  return definitions;
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
): string {
  const [id = "", fragment = ""] = ref.split("#", 2);
  const schema = id === "" ? from : byId.get(id);
  if (schema === undefined) {
    throw invalid(
      from,
      `refers to "${ref}": no file in schema/ has this $id, and nothing is ever fetched`,
    );
  }
  const name = fragment.replace(/^\/\$defs\//, "");
  if (name === fragment || !Object.hasOwn(schema.document.$defs ?? {}, name)) {
    throw invalid(from, `refers to "${ref}": ${schema.file} has no such member of "$defs"`);
  }
  return name;
}

function invalid({ file }: SourceSchema, problem: string): UserError {
  return new UserError(`${file} ${problem}`, EXIT.findings);
}
