import { readSchemas } from "../schemas/load.js";
import { isWire } from "../schemas/registry-file.js";
import { GENERATED_FOLDER } from "./files.js";
import { linkProfile } from "./profile.js";
import type { CodegenInput, GeneratedFile } from "./target.js";
import { readUncheckedRegistry } from "./target.js";
import { targets } from "./targets/index.js";

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** Number of schemas that they were printed from. */
  readonly schemaCount: number;
  /** Schema files that are not in the registry. */
  readonly unregistered: readonly string[];
}

/** Where targets write that are not TypeScript. */
const FOLDERS: Readonly<Record<string, string>> = {
  python: "python/rollout_wire",
  pydantic: "python/rollout_wire_pydantic",
  reference: "reference",
};

/** Prints every generated file of the repository at `root` in memory. Throws UserError. */
export async function generateFiles(root: string): Promise<Generation> {
  const schemas = readSchemas(root);
  const definitions = linkProfile(schemas);
  const registry = readUncheckedRegistry(root, schemas);
  const input = { root, schemas, definitions, registry };
  const wire = keepWire(input);
  const files = await Promise.all(
    targets.map(({ id, generate, isForWire }) => {
      const folder = `${GENERATED_FOLDER}/${FOLDERS[id] ?? "typescript"}`;
      if (!isForWire) return generate({ ...input, folder });
      return wire.schemas.length === 0 ? [] : generate({ ...wire, folder });
    }),
  );
  const registered = new Set(registry.schemas.map(({ file }) => file));
  return {
    files: files.flat(),
    schemaCount: schemas.length,
    unregistered: schemas.map(({ file }) => file).filter((file) => !registered.has(file)),
  };
}

type Loaded = Omit<CodegenInput, "folder">;

function keepWire(input: Loaded): Loaded {
  const { schemas, definitions } = input;
  const kept = [...definitions].filter(([, { schema }]) => isWire(schema));
  return { ...input, schemas: schemas.filter(isWire), definitions: new Map(kept) };
}
