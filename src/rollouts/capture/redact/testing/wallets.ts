import { createPrivateKey, createPublicKey } from "node:crypto";
import { base58 } from "@scure/base";

/** A seed phrase from the BIP-39 test vectors. */
export const SEED_PHRASE =
  "legal winner thank year wave sausage worth useful legal winner thank yellow";
/** The same words in another order: the checksum is invalid. */
export const NO_SEED_PHRASE =
  "winner legal thank year wave sausage worth useful legal winner thank yellow";
export const LONG_SEED_PHRASE = `${"zoo ".repeat(23)}vote`;

/** From the documentation of the Wallet Import Format. */
export const WIF = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ";
export const COMPRESSED_WIF = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn";

/** A 64-byte key pair in Solana's format. */
export function createKeyPair(): Uint8Array {
  const seed = Buffer.alloc(32, 7);
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const pair = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(pair).export({ format: "der", type: "spki" });
  return Buffer.concat([seed, spki.subarray(-32)]);
}

export const SOLANA_KEY = base58.encode(createKeyPair());
/** 64 bytes that are not a key pair, like a transaction signature. */
export const SOLANA_SIGNATURE = base58.encode(Buffer.alloc(64, 201));
