import { linkDefinitions } from "../schemas/definitions.js";
import { readSchemas } from "../schemas/load.js";
import { assertProfile } from "./profile.js";
import type { GeneratedFile } from "./target.js";
import { readRegistry } from "./target.js";
import { targets } from "./targets/index.js";

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** Number of schemas that they were printed from. */
  readonly schemaCount: number;
  /** Schema files that are not in the registry. */
  readonly unregistered: readonly string[];
}

/** Prints every generated file of the repository at `root` in memory. Throws UserError. */
export async function generateFiles(root: string): Promise<Generation> {
  const schemas = readSchemas(root);
  const definitions = linkDefinitions(schemas);
  assertProfile(definitions);
  const registry = readRegistry(root, schemas);
  const input = { root, schemas, definitions, registry };
  const files = (await Promise.all(targets.map((target) => target.generate(input)))).flat();
  const registered = new Set(registry.schemas.map(({ file }) => file));
  return {
    files,
    schemaCount: schemas.length,
    unregistered: schemas.map(({ file }) => file).filter((file) => !registered.has(file)),
  };
}
