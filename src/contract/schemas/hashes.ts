import type { SchemaHashes } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import { toContract } from "./contract.js";
import { parseJsonText, toCanonicalText } from "./json-text.js";

/**
 * The three hashes of a schema file, as in docs/hashes.md. Throws JsonTextError if it has no canonical form: invalid
 * JSON, repeated keys, lone surrogates, numbers that exceed a double.
 */
export function schemaHashes(source: string | Uint8Array): SchemaHashes {
  const value = parseJsonText(source);
  return {
    bytes: sha256(source),
    canonical: canonicalHash(value),
    contract: contractHash(value),
  };
}

/** `contract1-sha256:` and the hash of a schema's contract. Throws as `toCanonicalText` does. */
export function contractHash(document: unknown): string {
  return `contract1-${sha256(toCanonicalText(toContract(document)))}`;
}

/** `rfc8785-sha256:` and the SHA-256 of a JSON value's canonical form. Throws as `toCanonicalText` does. */
export function canonicalHash(value: unknown): string {
  return `rfc8785-${sha256(toCanonicalText(value))}`;
}
