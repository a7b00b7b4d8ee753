import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REGISTRY_FILE, readRegistry } from "../../../conformance/registry/read-registry.js";
import { schemaHashes } from "../../../conformance/registry/schema-hashes.js";
import type { SourceSchema } from "../load-schemas.js";
import type { Target } from "../target.js";

/** The registry is written by people, but for the hashes: they are filled in here. */
export const registryHashes: Target = {
  id: "registry-hashes",
  purpose: "the hashes of each schema in schema/registry.json",
  async generate({ root, schemas }) {
    const registry = readRegistry(root);
    const byFile = new Map(schemas.map((schema): [string, SourceSchema] => [schema.file, schema]));
    const entries = registry.schemas.map((entry) => {
      if (!byFile.has(entry.file)) return entry;
      return { ...entry, hashes: schemaHashes(readFileSync(join(root, entry.file), "utf8")) };
    });
    return [
      {
        path: REGISTRY_FILE,
        text: `${JSON.stringify({ ...registry, schemas: entries }, undefined, 2)}\n`,
      },
    ];
  },
};
