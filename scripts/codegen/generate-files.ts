import { loadSchemas } from "./load-schemas.js";
import { createResolver } from "./resolve-ref.js";
import type { GeneratedFile } from "./target.js";
import { targets } from "./targets/index.js";

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** How many schemas they were printed from. */
  readonly schemaCount: number;
}

/** Prints every generated file of the repository at `root`; writes nothing. Throws UserError. */
export async function generateFiles(root: string): Promise<Generation> {
  const schemas = loadSchemas(root);
  const input = { root, schemas, resolveRef: createResolver(schemas) };
  const files = await Promise.all(targets.map((target) => target.generate(input)));
  return { files: files.flat(), schemaCount: schemas.length };
}
