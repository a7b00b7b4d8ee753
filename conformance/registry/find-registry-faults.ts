import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { FaultPlace } from "../../src/base/findings/finding.js";
import { listJsonFiles } from "../../src/contract/schemas/artefacts.js";
import { schemaHashes } from "../../src/contract/schemas/hashes.js";
import { readJsonFile } from "../../src/contract/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/contract/schemas/registry.js";
import { atEntry, isWire, REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";

const SCHEMA_FILE = /^schema\/[^/]+\.schema\.json$/;

/**
 * Differences between the registry and the schema files of the checkout at `root`: files that only one of
 * them has, and names and ids that do not match the files. And a tier that contradicts the rest of the registry.
 */
export function findRegistryFaults(root: string, { schemas }: Registry): FaultPlace[] {
  const files = listJsonFiles(root, "schema").filter((file) => SCHEMA_FILE.test(file));
  const registered = new Set(schemas.map(({ file }) => file));
  const strays = files
    .filter((file) => !registered.has(file))
    .map((file) => ({
      id: "unregistered",
      file,
      message: `is not in ${REGISTRY_FILE}: add it with its owner and users`,
    }));
  const faults = schemas.flatMap((entry, index) =>
    existsSync(join(root, entry.file))
      ? findEntryFaults(root, entry, index)
      : [atEntry(index, "file", "missing-file", `names ${entry.file}, which does not exist`)],
  );
  return [...findDisorder(schemas), ...findTierFaults(schemas), ...faults, ...strays];
}

/** Without a wire schema, every check of them would be red for no other reason. */
function findTierFaults(schemas: readonly RegistryEntry[]): FaultPlace[] {
  if (schemas.length > 0 && !schemas.some(isWire)) {
    const message =
      'has no schema of tier "wire", so nothing is published, covered or generated for Python: mark those whose records repositories exchange';
    return [at("/schemas", "tier", message)];
  }
  return schemas.flatMap((entry, index) => {
    if (isWire(entry) || entry.loaders === undefined) return [];
    return [atEntry(index, "loaders", "tier", 'must be absent: tier "tool" has no Python')];
  });
}

function findDisorder(schemas: readonly RegistryEntry[]): FaultPlace[] {
  const files = schemas.map(({ file }) => file);
  const index = files.findIndex((file, at) => at > 0 && file <= (files[at - 1] ?? ""));
  if (index < 0) return [];
  return [atEntry(index, "file", "order", "is a duplicate, or not sorted by file name")];
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

/** Faults of what the registry offers for copying: a schema that it does not list, and files that are missing. */
export function findArtefactFaults(
  root: string,
  { artefacts = [], schemas }: Registry,
): FaultPlace[] {
  return artefacts.flatMap((artefact, index): FaultPlace[] => {
    const pointer = `/artefacts/${index}`;
    if (!schemas.some(({ name }) => name === artefact.schema)) {
      const message = `names ${artefact.schema}, which is not a schema`;
      return [at(`${pointer}/schema`, "artefact", message)];
    }
    if (existsSync(join(root, artefact.source))) return [];
    const message = `names ${artefact.source}, which does not exist`;
    return [at(`${pointer}/source`, "missing-file", message)];
  });
}

function at(pointer: string, id: string, message: string): FaultPlace {
  return { id, file: REGISTRY_FILE, pointer, message };
}

/** Hashes in the registry that differ from those of the schema files of the checkout at `root`. */
export function findHashFaults(root: string, { schemas }: Registry): FaultPlace[] {
  return schemas.flatMap((entry, index) =>
    existsSync(join(root, entry.file)) ? findEntryHashFaults(root, entry, index) : [],
  );
}

function findEntryHashFaults(
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
