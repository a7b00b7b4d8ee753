import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { registryHashes, releasedHashes } from "../../../src/contract/codegen/targets/hashes.js";
import { readRegistry } from "../../../src/contract/schemas/registry.js";

/** Writes the same hashes into schema/ of the checkout at `root` as `npm run generate` does. */
export async function recordHashes(root: string): Promise<void> {
  const registry = readRegistry(root);
  const input = {
    root,
    folder: "schema",
    outputs: [],
    formats: "annotate" as const,
    schemas: [],
    definitions: new Map(),
    registry,
  };
  for (const target of [registryHashes, releasedHashes]) {
    for (const { path, text } of await target.generate(input))
      writeFileSync(join(root, path), text);
  }
}
