import { createHash } from "node:crypto";
import { base58, createBase58check } from "@scure/base";
import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";
import { followsKeyWords } from "./follows-key-words.js";
import { isKeyPair } from "./is-key-pair.js";
import { WORD_START } from "./is-word-start.js";

/** 51 or 52 characters are a Bitcoin key, 86 to 88 are 64 bytes: a Solana key pair, or a signature. */
const PATTERN = new RegExp(
  `${WORD_START}(?:[1-9A-HJ-NP-Za-km-z]{51,52}|[1-9A-HJ-NP-Za-km-z]{86,88})(?![A-Za-z0-9])`,
  "g",
);
const LIKELY = /[1-9A-HJ-NP-Za-km-z]{51}/;

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest(),
);
/** First byte of a key in Wallet Import Format: of the main network, of the test networks. */
const WIF_VERSIONS: readonly (number | undefined)[] = [0x80, 0xef];
/** Version, key, and a byte that says that the public key is compressed. */
const WIF_LENGTHS: readonly number[] = [33, 34];

/**
 * Signatures of transactions have the length of a Solana key pair and are public. The second half of a key pair
 * is the public key of the first, which is computed.
 */
export const base58Key: Detector = {
  id: "wallet-key",
  purpose: "a Bitcoin key in Wallet Import Format or a Solana key pair in base58",
  certain: true,
  mayFind: (text) => LIKELY.test(text),
  find: (text) =>
    findMatches(text, { pattern: PATTERN, wordStart: "bare" }).filter(({ start, end }) => {
      const value = text.slice(start, end);
      return value.length < 60
        ? isWif(value)
        : followsKeyWords(text, start) || isKeyPair(base58.decode(value));
    }),
};

function isWif(value: string): boolean {
  try {
    const bytes = base58check.decode(value);
    return WIF_VERSIONS.includes(bytes[0]) && WIF_LENGTHS.includes(bytes.length);
  } catch {
    return false;
  }
}
