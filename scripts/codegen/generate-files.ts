import { readRegistry } from "../../conformance/registry/read-registry.js";
import { loadSchemas, type SourceSchema } from "./load-schemas.js";
import { mapSubschemas } from "./map-subschemas.js";
import { createResolver, type ResolveRef } from "./resolve-ref.js";
import type { SchemaNode } from "./schema-node.js";
import type { GeneratedFile } from "./target.js";
import { targets } from "./targets/index.js";

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** How many schemas they were printed from. */
  readonly schemaCount: number;
  /** Schema files that the registry does not name. */
  readonly unregistered: readonly string[];
}

/** Prints every generated file of the repository at `root`; writes nothing. Throws UserError. */
export async function generateFiles(root: string): Promise<Generation> {
  const schemas = loadSchemas(root);
  const resolveRef = createResolver(schemas);
  requireResolvableRefs(schemas, resolveRef);
  const input = { root, schemas, resolveRef };
  const files = await Promise.all(targets.map((target) => target.generate(input)));
  const registered = new Set(readRegistry(root).schemas.map(({ file }) => file));
  return {
    files: files.flat(),
    schemaCount: schemas.length,
    unregistered: schemas.map(({ file }) => file).filter((file) => !registered.has(file)),
  };
}

/** Before any target runs, so that all of them report a dangling reference in the same words. */
function requireResolvableRefs(schemas: readonly SourceSchema[], resolveRef: ResolveRef): void {
  for (const schema of schemas) {
    const visit = (node: SchemaNode): SchemaNode => {
      if (node.$ref !== undefined) resolveRef(node.$ref, schema);
      return mapSubschemas(node, visit);
    };
    for (const node of schema.definitions.values()) visit(node);
  }
}
