import { findErrors, isRegistry, type RegisteredSchema, type Registry } from "#generated/index.js";
import { type FaultPlace, FileFault } from "../findings/finding.js";
import { describeError } from "../json/schema-error.js";
import { readJsonFile } from "./read-json-file.js";

export type { RegisteredSchema as RegistryEntry, Registry } from "#generated/index.js";

/**
 * Reads `schema/registry.json` below `root`. Throws as `readJsonFile` does, and FileFault (`registry`) when it is
 * not what schema/registry.schema.json describes.
 */
export function readRegistry(root: string): Registry {
  const { value } = readJsonFile(root, REGISTRY_FILE);
  if (isRegistry(value)) return value;
  const [error] = findErrors("Registry", value);
  if (error === undefined) throw new Error("the registry is invalid, and nobody says why");
  const { pointer } = error;
  const message = describeError(error, value);
  throw new FileFault({ id: "registry", file: REGISTRY_FILE, pointer, message });
}

/** Place of the registry below the repository's root. */
export const REGISTRY_FILE = "schema/registry.json";

/** A fault of the schema at `index` in the registry, at a field of its entry; of the entry itself at "". */
export function atEntry(index: number, field: string, id: string, message: string): FaultPlace {
  const pointer = [`/schemas/${index}`, field].filter((part) => part !== "").join("/");
  return { id, file: REGISTRY_FILE, pointer, message };
}

/** The repositories that have to move when a schema changes. */
export interface Movers {
  /** Those that only read its records: they move first, since nobody may write what nobody reads yet. */
  readonly readers: readonly string[];
  /** Those that write them. */
  readonly writers: readonly string[];
}

/** Who moves first when a schema changes, and who moves last. */
export function listMovers({
  consumers,
  producers,
}: Pick<RegisteredSchema, "consumers" | "producers">): Movers {
  return { readers: consumers.filter((name) => !producers.includes(name)), writers: producers };
}
