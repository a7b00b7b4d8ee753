import { findErrors, isRegistry, type RegisteredSchema, type Registry } from "#generated/index.js";
import { FileFault } from "../../base/findings/finding.js";
import { isJsonObject } from "../../base/json/value.js";
import { toRegistry } from "./foreign-registry.js";
import { readJsonFile } from "./read-json-file.js";
import { REGISTRY_FILE } from "./registry-file.js";

export type { RegisteredSchema as RegistryEntry, Registry } from "#generated/index.js";

/**
 * Reads the registry `file` below `root`, ours or one in another owner's form. Throws as `readJsonFile` does, and
 * FileFault (`registry`) if it is in no form that is known.
 */
export function readRegistry(root: string, file = REGISTRY_FILE): Registry {
  const { value } = readJsonFile(root, file);
  const registry = toKnownRegistry(value);
  if (registry !== undefined) return registry;
  const [error] = findErrors("Registry", value);
  if (error === undefined) throw new Error("the registry is invalid, but there is no error");
  const { pointer, message } = error;
  throw new FileFault({ id: "registry", file, pointer, message });
}

/** A registry, ours or one in another owner's form; undefined if it is in no form that is known. */
export function toKnownRegistry(value: unknown): Registry | undefined {
  if (isRegistry(value)) return value;
  return isJsonObject(value) ? toRegistry(value) : undefined;
}

/** The repositories that must move when a schema changes. */
interface Movers {
  /** Repositories that only read its records. They move first, so that no record is written that cannot be read. */
  readonly readers: readonly string[];
  /** Repositories that write them. */
  readonly writers: readonly string[];
}

/** The readers and writers of a schema. */
export function listMovers({
  consumers,
  producers,
}: Pick<RegisteredSchema, "consumers" | "producers">): Movers {
  return { readers: consumers.filter((name) => !producers.includes(name)), writers: producers };
}
