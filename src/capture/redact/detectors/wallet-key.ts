import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";
import { followsKeyWords, KEY_WORD } from "./follows-key-words.js";
import { WORD_START } from "./is-word-start.js";

const PATTERN = new RegExp(
  `${WORD_START}(?:0x)?[0-9a-fA-F]{64}(?:[0-9a-fA-F]{64})?(?![A-Za-z0-9])`,
  "g",
);
const LIKELY = /[0-9a-fA-F]{64}/;

/** Hashes look the same, so that only the words before it tell a key. */
export const walletKey: Detector = {
  id: "wallet-key",
  purpose: "a private key of 32 or 64 bytes in hexadecimal digits, after words that say so",
  certain: false,
  mayFind: (text) => KEY_WORD.test(text) && LIKELY.test(text),
  find: (text) =>
    findMatches(text, { pattern: PATTERN, wordStart: "bare" })
      .filter(({ start }) => followsKeyWords(text, start))
      .map(({ start, end }) => ({ start, end, secret: toDigits(text.slice(start, end)) })),
};

function toDigits(key: string): string {
  return key.replace(/^0x/, "").toLowerCase();
}
