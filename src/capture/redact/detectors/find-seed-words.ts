import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";

/** Words of a phrase, longest first (BIP-39). */
const LENGTHS = [24, 21, 18, 15, 12] as const;
export const SHORTEST_PHRASE = 12;
export const LONGEST_PHRASE = 24;
/** A longer run is no phrase of one wallet: a list of phrases, or of words. It is taken for secret without a look. */
const LONGEST_RUN = 4 * LONGEST_PHRASE;
/** Bits that a word stands for. */
const WORD_BITS = 11;
/** Bytes of the longest phrase, and one more. */
const MAX_BYTES = 34;

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
  if (indexes.length > LONGEST_RUN) return indexes.map(() => true);
  const marked = indexes.map(() => false);
  for (let start = 0; start + SHORTEST_PHRASE <= indexes.length; start += 1) {
    const length = LENGTHS.find(
      (words) => start + words <= indexes.length && hasChecksum(indexes, start, words),
    );
    if (length !== undefined) marked.fill(true, start, start + length);
  }
  return marked;
}

/** The last bits are the first of the SHA-256 of the others: one for every three words. */
function hasChecksum(indexes: readonly number[], start: number, words: number): boolean {
  const bytes = new Uint8Array(MAX_BYTES);
  let [at, held, bits] = [0, 0, 0];
  for (let word = start; word < start + words; word += 1) {
    held = ((held << WORD_BITS) | (indexes[word] ?? 0)) & 0xfffff;
    for (bits += WORD_BITS; bits >= 8; at += 1) {
      bits -= 8;
      bytes[at] = (held >> bits) & 0xff;
    }
  }
  bytes[at] = (held << (8 - bits)) & 0xff;
  const checksumBits = words / 3;
  const entropy = bytes.subarray(0, 4 * checksumBits);
  const [hash = 0] = createHash("sha256").update(entropy).digest();
  return hash >> (8 - checksumBits) === (bytes[entropy.length] ?? 0) >> (8 - checksumBits);
}
