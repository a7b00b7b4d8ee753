import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { FaultPlace } from "../../src/findings/finding.js";
import { listJsonFiles } from "../../src/schemas/artefacts.js";
import { readJsonFile } from "../../src/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/schemas/registry.js";
import { atEntry, REGISTRY_FILE } from "../../src/schemas/registry.js";

const SCHEMA_FILE = /^schema\/[^/]+\.schema\.json$/;

/**
 * Where the registry and the schema files of the checkout at `root` disagree: files that only one of them
 * has, and names and ids that are not those of the files.
 */
export function findRegistryFaults(root: string, { schemas }: Registry): FaultPlace[] {
  const files = listJsonFiles(root, "schema").filter((file) => SCHEMA_FILE.test(file));
  const registered = new Set(schemas.map(({ file }) => file));
  const strays = files
    .filter((file) => !registered.has(file))
    .map((file) => ({
      id: "unregistered",
      file,
      message: `is not in ${REGISTRY_FILE}: enter its owner and who uses it`,
    }));
  const faults = schemas.flatMap((entry, index) =>
    existsSync(join(root, entry.file))
      ? findEntryFaults(root, entry, index)
      : [atEntry(index, "file", "missing-file", `names ${entry.file}, which is not there`)],
  );
  return [...findDisorder(schemas), ...faults, ...strays];
}

function findDisorder(schemas: readonly RegistryEntry[]): FaultPlace[] {
  const files = schemas.map(({ file }) => file);
  const index = files.findIndex((file, at) => at > 0 && file <= (files[at - 1] ?? ""));
  if (index < 0) return [];
  return [atEntry(index, "file", "order", "is named twice, or not in the order of the file names")];
}

function findEntryFaults(
  root: string,
  { file, id, name }: RegistryEntry,
  index: number,
): FaultPlace[] {
  const { value: document } = readJsonFile(root, file);
  const faults: FaultPlace[] = [];
  if (basename(file, ".schema.json") !== name) {
    faults.push(atEntry(index, "name", "name", `is not the name of ${file}`));
  }
  if (document.$id !== id) {
    faults.push(atEntry(index, "id", "id", `is not the "$id" of ${file}`));
  }
  return faults;
}
