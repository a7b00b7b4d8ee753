import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, UserError } from "../../src/user-error.js";
import type { SchemaHashes } from "./schema-hashes.js";

/** Place of the registry below the repository's root. */
export const REGISTRY_FILE = "schema/registry.json";

/** What the registry says of one schema. */
export interface RegistryEntry {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly file: string;
  /** Published versions, oldest first; their bytes never change. */
  readonly released: readonly string[];
  readonly owner: string;
  readonly producers: readonly string[];
  readonly consumers: readonly string[];
  readonly stability: "stable" | "experimental";
  /** Python functions that stream the records of an entry type, by name. */
  readonly loaders: Readonly<Record<string, string>>;
  readonly hashes: SchemaHashes;
}

export interface Registry {
  readonly schemas: readonly RegistryEntry[];
}

/** Reads `schema/registry.json` below `root`. Throws UserError when it is missing or not JSON. */
export function readRegistry(root: string): Registry {
  const path = join(root, REGISTRY_FILE);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${REGISTRY_FILE} cannot be read: ${reason}`, EXIT.findings);
  }
}
