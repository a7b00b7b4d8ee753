import { isJsonObject } from "../../../base/json/value.js";
import { packageRoot } from "../../../base/package.js";
import { hasUpcaster, toUpcasterFile } from "../../migrate/step.js";
import { type RegistryEntry, readRegistry } from "../../schemas/registry.js";
import type { VersionComparison } from "../compare-versions.js";
import type { LoadedVersions } from "../findings.js";
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

/**
 * What upgrades the records of an older major version of a schema of this package, or which upcasters are missing, in
 * lines; "" if nothing has to be upgraded.
 */
export function describeUpcasters(
  { bump }: VersionComparison,
  { old: older, new: newer }: LoadedVersions,
): string {
  const [before, after] = [readSchemaId(older), readSchemaId(newer)];
  if (before === undefined || after === undefined || bump !== "major") return "";
  if (before.base !== after.base || before.major >= after.major) return "";
  const entry = findRegistered(after);
  if (entry === undefined) return "";
  const { name: schema } = entry;
  const froms = Array.from({ length: after.major - before.major }, (_, at) => before.major + at);
  const missing = froms.filter((from) => !hasUpcaster(packageRoot(), { schema, from }));
  if (missing.length === 0) {
    return `upcaster: rollout-wire migrate --to ${schema}/v${after.major} upgrades the records.\n`;
  }
  const files = missing.map((from) => toUpcasterFile({ schema, from }));
  return `upcaster: ${files.join(", ")} missing; npm run upcaster:new writes it, with the witness as its first test.\n`;
}
