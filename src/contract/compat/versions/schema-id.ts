import { isJsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import { type RegistryEntry, readRegistry } from "../../schemas/registry.js";
import type { LoadedVersion } from "../load-version.js";

/** The parts of an `$id` such as `https://wasmagent.dev/schemas/rollout-wire/v1`. */
export interface SchemaId {
  /** Everything before the version. */
  readonly base: string;
  readonly name: string;
  readonly major: number;
}

/** Undefined for a schema without an `$id` of that form. */
export function readSchemaId({ document: { schema } }: LoadedVersion): SchemaId | undefined {
  const id = isJsonObject(schema) ? schema.$id : undefined;
  const [, base, name, major] = /^(.*?([\w.-]+))\/v(\d+)$/.exec(String(id)) ?? [];
  if (base === undefined || name === undefined) return undefined;
  return { base, name, major: Number(major) };
}

/** The registry's entry of a schema of this package, whichever its major version. */
export function findRegistered({ base }: SchemaId): RegistryEntry | undefined {
  const { schemas } = readRegistry(packageRoot());
  return schemas.find((schema) => schema.id.replace(/\/v\d+$/, "") === base);
}
