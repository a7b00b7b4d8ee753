import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SchemaHashes } from "#generated/index.js";
import { readJsonFile } from "../files/read-json-file.js";
import type { FaultPlace } from "../findings/fault-place.js";
import { listJsonFiles } from "./list-json-files.js";
import { REGISTRY_FILE, type Registry, type RegistryEntry } from "./read-registry.js";
import { schemaHashes } from "./schema-hashes.js";

const SCHEMA_FILE = /^schema\/[^/]+\.schema\.json$/;

/**
 * Where the registry and the schema files of the checkout at `root` disagree: files that only one of them
 * has, names, ids and hashes that are not those of the files, and changes of a schema whose version still
 * is the published one.
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
      : [at(index, "file", "missing-file", `names ${entry.file}, which is not there`)],
  );
  return [...findDisorder(schemas), ...faults, ...strays];
}

function findDisorder(schemas: readonly RegistryEntry[]): FaultPlace[] {
  const files = schemas.map(({ file }) => file);
  const index = files.findIndex((file, at) => at > 0 && file <= (files[at - 1] ?? ""));
  if (index < 0) return [];
  return [at(index, "file", "order", "is named twice, or not in the order of the file names")];
}

function findEntryFaults(root: string, entry: RegistryEntry, index: number): FaultPlace[] {
  const { file, id, name, hashes, released, version } = entry;
  const { text, value: document } = readJsonFile(root, file);
  const actual = schemaHashes(text);
  const faults: FaultPlace[] = [];
  if (basename(file, ".schema.json") !== name) {
    faults.push(at(index, "name", "name", `is not the name of ${file}`));
  }
  if (document.$id !== id) faults.push(at(index, "id", "id", `is not the "$id" of ${file}`));
  faults.push(...findHashFaults(hashes, actual, file, index));
  const last = released.at(-1);
  const isReleased = /^\d+\.0\.0$/.test(version) && last !== undefined;
  if (
    isReleased &&
    existsSync(join(root, last)) &&
    readFileSync(join(root, last), "utf8") !== text
  ) {
    const message = `is ${version} still, but ${file} is no longer ${last}: raise it, or undo the change`;
    faults.push(at(index, "version", "version", message));
  }
  return faults;
}

function findHashFaults(
  recorded: SchemaHashes | undefined,
  actual: SchemaHashes,
  file: string,
  index: number,
): FaultPlace[] {
  if (recorded === undefined) return [at(index, "", "hash", "has no hashes yet")];
  return (["bytes", "canonical", "contract"] as const)
    .filter((kind) => recorded[kind] !== actual[kind])
    .map((kind) => at(index, `hashes/${kind}`, "hash", `is not that of ${file}: ${actual[kind]}`));
}

function at(index: number, field: string, id: string, message: string): FaultPlace {
  const pointer = [`/schemas/${index}`, field].filter((part) => part !== "").join("/");
  return { id, file: REGISTRY_FILE, pointer, message };
}
