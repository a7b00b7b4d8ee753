import type { Output } from "#generated/index.js";
import { readSchemas } from "../schemas/load.js";
import { isWire } from "../schemas/registry-file.js";
import { linkProfile } from "./profile.js";
import type { CodegenInput, GeneratedFile, Target } from "./target.js";
import { readUncheckedRegistry } from "./target.js";
import { targets } from "./targets/index.js";

export interface Generation {
  readonly files: readonly GeneratedFile[];
  /** Number of schemas that they were printed from. */
  readonly schemaCount: number;
  /** Schema files that are not in the registry. */
  readonly unregistered: readonly string[];
}

const TYPESCRIPT = "generated/typescript";

const OUTPUTS: readonly Output[] = [
  { target: "typescript", folder: TYPESCRIPT },
  { target: "validators", folder: TYPESCRIPT },
  { target: "records", folder: TYPESCRIPT },
  { target: "schemas", folder: TYPESCRIPT },
  { target: "shapes", folder: TYPESCRIPT },
  { target: "redaction", folder: TYPESCRIPT },
  { target: "features", folder: TYPESCRIPT },
  { target: "python", folder: "generated/python/rollout_wire" },
  { target: "pydantic", folder: "generated/python/rollout_wire_pydantic" },
  { target: "reference", folder: "generated/reference" },
  { target: "hashes", folder: "schema" },
];

/** Prints every generated file of the repository at `root` in memory. Throws UserError. */
export async function generateFiles(root: string): Promise<Generation> {
  const schemas = readSchemas(root);
  const definitions = linkProfile(schemas);
  const registry = readUncheckedRegistry(root, schemas);
  const files = await Promise.all(
    OUTPUTS.map(async ({ target, folder }) => {
      const input = { root, folder, outputs: OUTPUTS, schemas, definitions, registry };
      const printed = targets[target].map((each) => print(each, input));
      return (await Promise.all(printed)).flat();
    }),
  );
  const registered = new Set(registry.schemas.map(({ file }) => file));
  return {
    files: files.flat(),
    schemaCount: schemas.length,
    unregistered: schemas.map(({ file }) => file).filter((file) => !registered.has(file)),
  };
}

async function print(
  { generate, isForWire }: Target,
  input: CodegenInput,
): Promise<readonly GeneratedFile[]> {
  const given = isForWire ? keepWire(input) : input;
  return given.schemas.length === 0 ? [] : await generate(given);
}

function keepWire(input: CodegenInput): CodegenInput {
  const { schemas, definitions } = input;
  const kept = [...definitions].filter(([, { schema }]) => isWire(schema));
  return { ...input, schemas: schemas.filter(isWire), definitions: new Map(kept) };
}
