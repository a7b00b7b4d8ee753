import { createHash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { type Detector, followsPhraseWords, type Span } from "./detector.js";

/** Lengths of a phrase in words, longest first (BIP-39). */
const LENGTHS = [24, 21, 18, 15, 12] as const;
export const SHORTEST_PHRASE = 12;
export const LONGEST_PHRASE = 24;
/** A longer run is not a single phrase but a list of phrases or words. It is redacted without further checks. */
const LONGEST_RUN = 4 * LONGEST_PHRASE;
/** Bits per word. */
const WORD_BITS = 11;
/** Size of the longest phrase in bytes, plus one. */
const MAX_BYTES = 34;

const INDEXES = new Map(wordlist.map((word, index) => [word, index]));

/** Index of a word in the English BIP-39 list, ignoring case; undefined if it is not in the list. */
export function seedWordIndex(word: string): number | undefined {
  return INDEXES.get(word.toLowerCase());
}

/**
 * Marks the words that belong to a phrase with a valid checksum. Overlapping phrases are all marked: one in
 * sixteen twelve-word phrases is valid by chance.
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

/** The last bits are the first bits of the SHA-256 of the others: one for every three words. */
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

/** Maximum gap between two words, in characters: spaces, commas, quotes, numbers as in "1. abandon". */
const MAX_GAP = 12;
/** Lengths of the shortest and of the longest word in the list. */
const [MIN_WORD, MAX_WORD] = [3, 8];
const BACKSLASH = 0x5c;

export interface SeedWord extends Span {
  readonly index: number;
}

/** Finds runs of seed words that are long enough for a phrase. */
export function findWordRuns(text: string): SeedWord[][] {
  const runs: SeedWord[][] = [];
  let run: SeedWord[] = [];
  const close = (): void => {
    if (run.length >= SHORTEST_PHRASE) runs.push(run);
    if (run.length > 0) run = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    if (!isLetter(text.charCodeAt(at)) || isEscape(text, at)) continue;
    const start = at;
    while (isLetter(text.charCodeAt(at + 1))) at += 1;
    const end = at + 1;
    const isLikely = end - start >= MIN_WORD && end - start <= MAX_WORD;
    const index = isLikely ? seedWordIndex(text.slice(start, end)) : undefined;
    const last = run.at(-1);
    if (index === undefined || (last !== undefined && start - last.end > MAX_GAP)) close();
    if (index !== undefined) run.push({ start, end, index });
  }
  close();
  return runs;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Tells whether a letter belongs to `\n`, `\r` or `\t` in quoted JSON. */
function isEscape(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === BACKSLASH && "nrt".includes(text.charAt(at));
}

/** Twelve words of three letters and the gaps between them, in characters. */
const SHORTEST = 47;

export const seedPhrase: Detector = {
  id: "seed-phrase",
  purpose:
    "a seed phrase of 12 to 24 English words (BIP-39) whose checksum holds, or that is called one",
  certain: true,
  mayFind: (text) => text.length >= SHORTEST,
  find: (text) => findWordRuns(text).flatMap((run) => findPhrases(text, run)),
};

function findPhrases(text: string, run: readonly SeedWord[]): Span[] {
  const marked = [...findSeedWords(run.map(({ index }) => index))];
  for (const [at, { start }] of run.entries()) {
    // "phrase" is itself a seed word, so the phrase may begin after the run does.
    const isNamed = run.length - at >= SHORTEST_PHRASE && followsPhraseWords(text, start);
    if (isNamed) marked.fill(true, at, at + LONGEST_PHRASE);
  }
  const spans: { start: number; end: number; secret: string }[] = [];
  let wasSecret = false;
  for (const [at, { start, end }] of run.entries()) {
    const isSecret = marked[at] === true;
    const last = spans.at(-1);
    const word = text.slice(start, end).toLowerCase();
    if (isSecret && wasSecret && last !== undefined) {
      last.end = end;
      last.secret += ` ${word}`;
    } else if (isSecret) spans.push({ start, end, secret: word });
    wasSecret = isSecret;
  }
  return spans;
}
