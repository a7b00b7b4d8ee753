import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaHashes } from "../../../src/schemas/hashes.js";
import { REGISTRY_FILE } from "../../../src/schemas/registry.js";
import { EXIT, UserError } from "../../../src/user-error.js";
import { readRegistry } from "../read-registry.js";
import type { Target } from "../target.js";

/** The registry is written by people, but for the hashes: they are filled in here. */
export const registryHashes: Target = {
  id: "registry-hashes",
  purpose: "the hashes of each schema in schema/registry.json",
  async generate({ root }) {
    const registry = readRegistry(root);
    const schemas = registry.schemas.map((entry) => {
      const path = join(root, entry.file);
      if (!existsSync(path)) {
        throw new UserError(`${REGISTRY_FILE} names ${entry.file}: no such file`, EXIT.findings);
      }
      return { ...entry, hashes: schemaHashes(readFileSync(path)) };
    });
    const text = `${JSON.stringify({ ...registry, schemas }, undefined, 2)}\n`;
    return [{ path: REGISTRY_FILE, text }];
  },
};
