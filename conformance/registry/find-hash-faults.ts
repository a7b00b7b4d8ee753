import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FaultPlace } from "../../src/findings/finding.js";
import { schemaHashes } from "../../src/schemas/hashes.js";
import { readJsonFile } from "../../src/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/schemas/registry.js";
import { atEntry } from "../../src/schemas/registry.js";

/** Hashes in the registry that are not those of the schema files of the checkout at `root`. */
export function findHashFaults(root: string, { schemas }: Registry): FaultPlace[] {
  return schemas.flatMap((entry, index) =>
    existsSync(join(root, entry.file)) ? findEntryFaults(root, entry, index) : [],
  );
}

function findEntryFaults(
  root: string,
  { file, hashes }: RegistryEntry,
  index: number,
): FaultPlace[] {
  if (hashes === undefined) return [atEntry(index, "", "hash", "has no hashes yet")];
  const actual = schemaHashes(readJsonFile(root, file).text);
  return (["bytes", "canonical", "contract"] as const)
    .filter((kind) => hashes[kind] !== actual[kind])
    .map((kind) => {
      const message = `is not that of ${file}: ${actual[kind]}`;
      return atEntry(index, `hashes/${kind}`, "hash", message);
    });
}
