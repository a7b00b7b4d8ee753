import type { ArtefactKind, LockedHashes } from "#generated/index.js";
import { schemaHashes, sha256 } from "../registry/schema-hashes.js";

/**
 * The hashes of a file that a lock keeps: of a schema all three, of any other that of its bytes. Throws
 * JsonTextError for a schema that has no canonical form.
 */
export function hashArtefact(kind: ArtefactKind, source: string | Uint8Array): LockedHashes {
  return kind === "schema" ? schemaHashes(source) : { bytes: sha256(source) };
}
