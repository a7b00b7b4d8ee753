import { createHmac, randomBytes } from "node:crypto";

/** Names the kind of a secret, and the secret by a hash, as `[redacted:email:1f3a9c07]`. */
export type PlaceholderOf = (kind: string, secret: string) => string;

/** A placeholder, of this redactor or of another. */
export const PLACEHOLDER = /\[redacted:[a-z0-9-]{1,32}:[0-9a-f]{8}\]/;

/** Hexadecimal digits of the hash: with 1,000 secrets, two share a placeholder once in 8,000 runs. */
const DIGITS = 8;
/** Bytes of a random key: as many as the hash has. */
const KEY_BYTES = 32;

/**
 * One secret has one placeholder, wherever it stands, as long as the key is the same. The hash is keyed
 * (HMAC-SHA-256), so that a placeholder cannot be turned back by hashing every card number or every known address.
 */
export function createPlaceholders(
  key: string | Uint8Array = randomBytes(KEY_BYTES),
): PlaceholderOf {
  return (kind, secret) => {
    const hash = createHmac("sha256", key).update(secret, "utf8").digest("hex");
    return `[redacted:${kind}:${hash.slice(0, DIGITS)}]`;
  };
}
