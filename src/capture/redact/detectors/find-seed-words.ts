import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** Words of a phrase, longest first (BIP-39). */
const LENGTHS = [24, 21, 18, 15, 12] as const;
export const SHORTEST_PHRASE = 12;
export const LONGEST_PHRASE = 24;
/** Bits that a word stands for. */
const WORD_BITS = 11;

const INDEXES = new Map(wordlist.map((word, index) => [word, index]));

/** Index of a word in the English list of BIP-39, in lower or upper case; undefined when it is not in it. */
export function seedWordIndex(word: string): number | undefined {
  return INDEXES.get(word.toLowerCase());
}

/**
 * The words, by their positions, that belong to a phrase whose checksum holds. A run of words in which phrases
 * overlap is marked as a whole: one in sixteen phrases of twelve holds by chance.
 */
export function findSeedWords(indexes: readonly number[]): readonly boolean[] {
  const marked = indexes.map(() => false);
  for (let start = 0; start + SHORTEST_PHRASE <= indexes.length; start += 1) {
    const length = LENGTHS.find(
      (words) =>
        start + words <= indexes.length && hasChecksum(indexes.slice(start, start + words)),
    );
    if (length !== undefined) marked.fill(true, start, start + length);
  }
  return marked;
}

/** The last bits are the first of the SHA-256 of the others, one for every 32. */
function hasChecksum(indexes: readonly number[]): boolean {
  const bits = indexes.map((index) => index.toString(2).padStart(WORD_BITS, "0")).join("");
  const checksumBits = bits.length / 33;
  const entropy = bits.slice(0, -checksumBits);
  const bytes = Uint8Array.from({ length: entropy.length / 8 }, (_, index) =>
    Number.parseInt(entropy.slice(8 * index, 8 * index + 8), 2),
  );
  const first = createHash("sha256").update(bytes).digest()[0] ?? 0;
  return first.toString(2).padStart(8, "0").startsWith(bits.slice(-checksumBits));
}
