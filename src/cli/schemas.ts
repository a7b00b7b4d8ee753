import {
  type RegisteredSchema,
  type ReportedSchema,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
} from "#generated/index.js";
import { packageRoot } from "../base/package.js";
import { readRegistry } from "../contract/schemas/registry.js";

/** The schemas of this package, as reports name them. */
export function listSchemas(): ReportedSchema[] {
  return readRegistry(packageRoot()).schemas.map(({ id, version, hashes }) => {
    return { id, version, canonical: requireHashes(id, hashes).canonical.replace("rfc8785-", "") };
  });
}

/** Version of the format of rollouts, and the hash that identifies this copy of it. */
export function describeFormat(): string {
  const format = readRegistry(packageRoot()).schemas.find(({ name }) => name === "rollout-wire");
  if (format === undefined) throw new TypeError("the registry has no schema of rollouts");
  return `${ROLLOUT_BRANCH_SCHEMA_VERSION} ${requireHashes(format.id, format.hashes).canonical}`;
}

function requireHashes(
  id: string,
  hashes: RegisteredSchema["hashes"],
): NonNullable<RegisteredSchema["hashes"]> {
  if (hashes === undefined) throw new TypeError(`the registry has no hashes of ${id}`);
  return hashes;
}
