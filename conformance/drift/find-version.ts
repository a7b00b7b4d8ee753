import type { Lock } from "#generated/index.js";
import { JsonTextError } from "../hashes/json-text-error.js";
import { schemaHashes, sha256 } from "../registry/schema-hashes.js";
import { parseVersion } from "../registry/version.js";
import type { KnownVersion } from "./canonical.js";

/**
 * The version of a schema that a copy is: the newest of those with its contract; or that which the lock beside it
 * says of these very bytes; or one that is not known here, which its `$id` says. Undefined when nothing says it.
 */
export function findVersion(
  copy: Uint8Array,
  path: string,
  known: readonly KnownVersion[],
  lock: Lock | undefined,
): string | undefined {
  const contract = contractOf(copy);
  const same = known.find(({ text }) => schemaHashes(text).contract === contract);
  if (same !== undefined) return same.version;
  const locked = lock?.artefacts.find((artefact) => artefact.path === path);
  return locked?.hashes.bytes === sha256(copy) ? locked.version : findLater(copy, known);
}

/** `2.0.0` of a copy whose `$id` ends in `/v2`, where only versions before that are known. */
function findLater(copy: Uint8Array, [newest]: readonly KnownVersion[]): string | undefined {
  const [, major = "0"] =
    /"\$id"\s*:\s*"[^"]*\/v(\d+)"/.exec(Buffer.from(copy).toString("utf8")) ?? [];
  const known = newest === undefined ? 0 : parseVersion(newest.version).major;
  return Number(major) > known ? `${Number(major)}.0.0` : undefined;
}

function contractOf(copy: Uint8Array): string | undefined {
  try {
    return schemaHashes(copy).contract;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
