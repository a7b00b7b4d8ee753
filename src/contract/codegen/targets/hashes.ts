import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, UserError } from "../../../base/user-error.js";
import { schemaHashes } from "../../schemas/hashes.js";
import { REGISTRY_FILE } from "../../schemas/registry-file.js";
import { printReleasedHashes, RELEASED_HASHES_FILE } from "../../schemas/releases.js";
import type { Target } from "../target.js";

/** The registry is written by hand, except for the hashes. */
export const registryHashes: Target = {
  id: "registry-hashes",
  purpose: "the hashes of each schema in schema/registry.json",
  async generate({ root, registry }) {
    const schemas = registry.schemas.map((entry) => {
      const path = join(root, entry.file);
      if (!existsSync(path)) {
        throw new UserError(`${REGISTRY_FILE} names ${entry.file}: no such file`, EXIT.findings);
      }
      return { ...entry, hashes: schemaHashes(readFileSync(path)) };
    });
    const text = `${JSON.stringify({ ...registry, schemas }, undefined, 2)}\n`;
    return [{ path: REGISTRY_FILE, text, isUpdate: true }];
  },
};

/** A published version is recorded when it first appears, and never changed. */
export const releasedHashes: Target = {
  id: "released-hashes",
  purpose: "the hashes of new versions in schema/released/SHA256SUMS",
  async generate({ root }) {
    return [{ path: RELEASED_HASHES_FILE, text: printReleasedHashes(root), isUpdate: true }];
  },
};
