import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/** Digests by which copies of a schema are compared. Each is `sha256:` and 64 hexadecimal digits. */
export interface SchemaHashes {
  /** SHA-256 of the file as it lies on disk. */
  readonly bytes: string;
  /** SHA-256 of the RFC 8785 canonical form: equal for copies that differ in formatting only. */
  readonly canonical: string;
}

/** Hashes of the schema file `text`. Throws SyntaxError when it is not JSON. */
export function schemaHashes(text: string): SchemaHashes {
  return { bytes: sha256(text), canonical: canonicalHash(JSON.parse(text)) };
}

/** SHA-256 of the RFC 8785 canonical form of a JSON value. */
export function canonicalHash(value: unknown): string {
  const canonical = canonicalize(value);
  if (canonical === undefined) throw new TypeError("only JSON values have a canonical form");
  return sha256(canonical);
}

/** SHA-256 of text in UTF-8, or of bytes. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}
