import { flattenAllOf } from "../flatten-all-of.js";
import type { SourceSchema } from "../load-schemas.js";
import { mapSubschemas } from "../map-subschemas.js";
import type { Definition, ResolveRef } from "../resolve-ref.js";
import type { SchemaNode } from "../schema-node.js";
import type { CodegenInput } from "../target.js";
import { assertSupported } from "./assert-supported.js";

/**
 * The definitions as the Python code sees them: `allOf` flattened, objects that are declared inside
 * other objects lifted to definitions of their own, references by name alone, and every keyword
 * known to be checked.
 */
export type PythonModel = ReadonlyMap<string, Definition>;

/** Throws UserError when a schema says something that the Python code would not check. */
export function createPythonModel({ schemas, resolveRef }: CodegenInput): PythonModel {
  const model = new Map<string, Definition>();
  for (const schema of schemas) {
    for (const [name, node] of schema.definitions) {
      assertSupported({ name, schema, node: flattenAllOf(node, schema, resolveRef) });
      const flat = flattenAllOf(node, schema, (ref, from) => {
        const target = resolveRef(ref, from);
        return { ...target, node: nameRefs(target.node, target.schema, resolveRef) };
      });
      for (const lifted of liftInlineObjects({
        name,
        schema,
        node: nameRefs(flat, schema, resolveRef),
      })) {
        model.set(lifted.name, lifted);
      }
    }
  }
  return model;
}

/** What the `$ref` of a node of the model points at. */
export function targetOf(ref: string, model: PythonModel): Definition {
  const definition = model.get(ref);
  if (definition === undefined) throw new Error(`the model has no definition ${ref}`);
  return definition;
}

/** Whether a definition becomes a class; the others are aliases. */
export function isClass({ node }: Definition): boolean {
  return node.type === "object" && Object.keys(node.properties ?? {}).length > 0;
}

/** Replaces each `$ref` by the name of its definition; names are unique over all schemas. */
function nameRefs(node: SchemaNode, owner: SourceSchema, resolveRef: ResolveRef): SchemaNode {
  const named = mapSubschemas(node, (child) => nameRefs(child, owner, resolveRef));
  if (node.$ref === undefined || !/[#/]/.test(node.$ref)) return named;
  return { ...named, $ref: resolveRef(node.$ref, owner).name };
}

function liftInlineObjects({ name, schema, node }: Definition): Definition[] {
  const lifted: Definition[] = [];
  const lift = (child: SchemaNode, path: string): SchemaNode => {
    const own = mapSubschemas(child, (grandchild, at) => lift(grandchild, path + stepOf(at)));
    if (Object.keys(child.properties ?? {}).length === 0) return own;
    lifted.push({ name: path, schema, node: own });
    const ref: SchemaNode = { $ref: path };
    return child.description === undefined ? ref : { description: child.description, ...ref };
  };
  const top = mapSubschemas(node, (child, at) => lift(child, name + stepOf(at)));
  return [{ name, schema, node: top }, ...lifted];
}

/** Names a subschema after its place: `Item`, `Value`, or the property's name. */
function stepOf(path: readonly string[]): string {
  const [keyword, property] = path;
  if (property !== undefined) return pascalCase(property);
  return keyword === "items" ? "Item" : "Value";
}

function pascalCase(wireName: string): string {
  return wireName.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
}
