import { createHash } from "node:crypto";
import type { SchemaHashes } from "#generated/index.js";
import { toContract } from "./contract.js";
import { parseJsonText, toCanonicalText } from "./json-text.js";

/**
 * The three hashes of the schema file `source`, as docs/hashes.md describes them. Throws JsonTextError when it
 * has no canonical form: no JSON, a key twice, a lone surrogate, a number beyond a double.
 */
export function schemaHashes(source: string | Uint8Array): SchemaHashes {
  const value = parseJsonText(source);
  return {
    bytes: sha256(source),
    canonical: canonicalHash(value),
    contract: `contract1-${sha256(toCanonicalText(toContract(value)))}`,
  };
}

/** `rfc8785-sha256:` and the SHA-256 of a JSON value's canonical form. Throws as `toCanonicalText` does. */
export function canonicalHash(value: unknown): string {
  return `rfc8785-${sha256(toCanonicalText(value))}`;
}

/** `sha256:` and the 64 hexadecimal digits of text in UTF-8, or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}
