import { createPrivateKey, createPublicKey } from "node:crypto";

/** Bytes of a seed, and of a public key, of Ed25519 (RFC 8032). */
const HALF = 32;
/** What stands before the seed in a PKCS #8 key of Ed25519 (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Whether 64 bytes are a seed and its public key, as Solana and libsodium keep a key pair. */
export function isKeyPair(bytes: Uint8Array): boolean {
  if (bytes.length !== 2 * HALF) return false;
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, HALF)]);
  const pair = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(pair).export({ format: "der", type: "spki" });
  return spki.subarray(-HALF).equals(bytes.subarray(HALF));
}
