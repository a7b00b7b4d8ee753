import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Artefact, Repository } from "#generated/index.js";
import type { FaultPlace } from "../../src/base/findings/finding.js";
import { OWN_NAME } from "../../src/base/package.js";
import { listArtefacts, listJsonFiles } from "../../src/contract/schemas/artefacts.js";
import { schemaHashes } from "../../src/contract/schemas/hashes.js";
import { readJsonFile } from "../../src/contract/schemas/read-json-file.js";
import type { Registry, RegistryEntry } from "../../src/contract/schemas/registry.js";
import { atEntry, isWire, REGISTRY_FILE } from "../../src/contract/schemas/registry-file.js";
import { isLater } from "../../src/contract/schemas/version.js";

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

/**
 * Faults of the repositories in the registry: one that a schema names but the registry lacks, a role that no
 * schema gives it, and artefacts that are missing, at the path of another, or ahead of their schema.
 */
export function findRepositoryFaults(root: string, registry: Registry): FaultPlace[] {
  const names = registry.repositories.map(({ name }) => name);
  const known = new Set([OWN_NAME, ...names]);
  return [
    ...registry.schemas.flatMap(({ owner, producers, consumers }, index) =>
      [owner, ...producers, ...consumers]
        .filter((name) => !known.has(name))
        .map((name) => at(`/schemas/${index}`, "repository", `names ${name}, ${UNKNOWN}`)),
    ),
    ...registry.repositories.flatMap((repository, index) => {
      const pointer = `/repositories/${index}`;
      const isSecond = names.indexOf(repository.name) < index;
      return [
        ...(isSecond ? [at(`${pointer}/name`, "repository", "is named twice")] : []),
        ...findRoleFaults(repository, registry, `${pointer}/roles`),
        ...repository.artefacts.flatMap((artefact, number) =>
          findArtefactFaults(root, artefact, registry, `${pointer}/artefacts/${number}`),
        ),
        ...findSecondCopies(repository, pointer),
      ];
    }),
  ];
}

const UNKNOWN = 'which is not among the "repositories": add it with its copies';

function findRoleFaults(
  { name, roles }: Repository,
  { schemas }: Registry,
  pointer: string,
): FaultPlace[] {
  const given = new Set(
    schemas.flatMap(({ owner, producers, consumers }): string[] => [
      ...(owner === name ? ["owner"] : []),
      ...(producers.includes(name) ? ["producer"] : []),
      ...(consumers.includes(name) ? ["consumer"] : []),
    ]),
  );
  if (given.size === roles.length && roles.every((role) => given.has(role))) return [];
  const said = [...given].join(", ") || "none";
  return [at(pointer, "roles", `differ from the roles that the schemas give ${name}: ${said}`)];
}

function findArtefactFaults(
  root: string,
  artefact: Artefact,
  { schemas }: Registry,
  pointer: string,
): FaultPlace[] {
  const schema = schemas.find(({ name }) => name === artefact.schema);
  if (schema === undefined) {
    return [at(`${pointer}/schema`, "artefact", `names ${artefact.schema}, which is not a schema`)];
  }
  const faults: FaultPlace[] = [];
  if (artefact.kind === "schema" && artefact.source !== schema.file) {
    faults.push(
      at(`${pointer}/source`, "artefact", `is not the file of the schema, ${schema.file}`),
    );
  }
  if (isLater(artefact.version, schema.version)) {
    const message = `is ahead of ${schema.name}, which is at ${schema.version}`;
    faults.push(at(`${pointer}/version`, "artefact", message));
  }
  if (listArtefacts(root, artefact).length === 0) {
    const message = `names ${artefact.source}, which does not exist`;
    faults.push(at(`${pointer}/source`, "missing-file", message));
  }
  return faults;
}

function findSecondCopies({ artefacts }: Repository, pointer: string): FaultPlace[] {
  const paths = artefacts.map(({ path }) => path);
  return paths.flatMap((path, index) =>
    paths.slice(0, index).some((other) => overlaps(path, other))
      ? [at(`${pointer}/artefacts/${index}/path`, "artefact", "is the path of another copy")]
      : [],
  );
}

/** Whether two paths are equal, or one contains the other. */
function overlaps(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
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
