import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { FaultPlace } from "../../src/base/findings/finding.js";
import { isJsonObject, tryParseJson } from "../../src/base/json/value.js";
import { listJsonFiles } from "../../src/contract/schemas/artefacts.js";
import { schemaHashes } from "../../src/contract/schemas/hashes.js";
import { readJsonFile } from "../../src/contract/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/contract/schemas/registry.js";
import { atEntry, isWire, REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";
import { isIdOf, listIds, parseSchemaId } from "../../src/contract/schemas/schema-id.js";

const SCHEMA_FILE = /^schema\/[^/]+\.schema\.json$/;

/**
 * Differences between the registry and the schema files of the checkout at `root`: files that only one of
 * them has, names and ids that do not match the files, and published ids that copies would no longer be found by. And a
 * tier or an alias that contradicts the rest of the registry.
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
  return [
    ...findDisorder(schemas),
    ...findTierFaults(schemas),
    ...findAliasFaults(schemas),
    ...faults,
    ...strays,
  ];
}

/** An alias leads to one schema. */
function findAliasFaults(schemas: readonly RegistryEntry[]): FaultPlace[] {
  const ids = schemas.flatMap(listIds);
  return schemas.flatMap(({ aliases = [] }, index) =>
    aliases.flatMap((alias, at) => {
      if (ids.indexOf(alias) === ids.lastIndexOf(alias)) return [];
      const message = "is an id or an alias a second time: remove one of them";
      return [atEntry(index, `aliases/${at}`, "alias", message)];
    }),
  );
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

function findEntryFaults(root: string, entry: RegistryEntry, index: number): FaultPlace[] {
  const { file, id, name } = entry;
  const { value: document } = readJsonFile(root, file);
  const faults: FaultPlace[] = [];
  if (basename(file, ".schema.json") !== name) {
    faults.push(atEntry(index, "name", "name", `is not the name of ${file}`));
  }
  if (document.$id !== id) {
    faults.push(atEntry(index, "id", "id", `is not the "$id" of ${file}`));
  }
  return [...faults, ...findLostIds(root, entry, index)];
}

/** A copy of a published version is recognised by its `$id`, so that stays an alias. */
function findLostIds(root: string, entry: RegistryEntry, index: number): FaultPlace[] {
  const published = entry.released
    .filter((file) => existsSync(join(root, file)))
    .map((file) => tryParseJson(readFileSync(join(root, file), "utf8")));
  // A published file that has changed since is a fault of the check `released-immutable`.
  const ids = published.flatMap((schema) => (isJsonObject(schema) ? [schema.$id] : []));
  return [...new Set(ids)].flatMap((id) => {
    const named = parseSchemaId(id);
    if (named === undefined || isIdOf(entry, named)) return [];
    const message = `differs from ${id}, the "$id" of a published version: add that to "aliases", so that copies are found`;
    return [atEntry(index, "id", "alias", message)];
  });
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
