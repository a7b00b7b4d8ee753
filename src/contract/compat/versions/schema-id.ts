import { isJsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import { type RegistryEntry, readRegistry } from "../../schemas/registry.js";
import { isIdOf, parseSchemaId, type SchemaId } from "../../schemas/schema-id.js";
import type { LoadedVersion } from "../load-version.js";

/** Undefined for a schema without an `$id` that ends with a version. */
export function readSchemaId({ document: { schema } }: LoadedVersion): SchemaId | undefined {
  return parseSchemaId(isJsonObject(schema) ? schema.$id : undefined);
}

/** The registry's entry of a schema of this package, whichever its major version, by its `$id` or an alias. */
export function findRegistered(id: SchemaId): RegistryEntry | undefined {
  return readRegistry(packageRoot()).schemas.find((schema) => isIdOf(schema, id));
}
