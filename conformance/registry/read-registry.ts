import { findErrors, isRegistry, type Registry } from "#generated/index.js";
import { FileFault } from "../../src/findings/finding.js";
import { describeError } from "../../src/json/schema-error.js";
import { readJsonFile } from "../files/read-json-file.js";
import { REGISTRY_FILE } from "./registry-file.js";

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
