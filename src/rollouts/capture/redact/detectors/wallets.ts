import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { base58, createBase58check } from "@scure/base";
import {
  type Detector,
  findMatches,
  followsKeyWords,
  KEY_WORD,
  type Span,
  WORD_START,
} from "./detector.js";

const HEX_KEY = new RegExp(
  `${WORD_START}(?:0x)?[0-9a-fA-F]{64}(?:[0-9a-fA-F]{64})?(?![A-Za-z0-9])`,
  "g",
);
const LIKELY_HEX_KEY = /[0-9a-fA-F]{64}/;

/** A hash looks the same, so only the words before it identify a key. */
export const walletKey: Detector = {
  id: "wallet-key",
  purpose: "a private key of 32 or 64 bytes in hexadecimal digits, after words that say so",
  certain: false,
  mayFind: (text) => KEY_WORD.test(text) && LIKELY_HEX_KEY.test(text),
  find: (text) =>
    findMatches(text, { pattern: HEX_KEY, wordStart: "bare" })
      .filter(({ start }) => followsKeyWords(text, start))
      .map(({ start, end }) => ({ start, end, secret: toDigits(text.slice(start, end)) })),
};

function toDigits(key: string): string {
  return key.replace(/^0x/, "").toLowerCase();
}

/** Size in bytes of an Ed25519 seed and of an Ed25519 public key (RFC 8032). */
const HALF = 32;
/** Bytes before the seed in a PKCS #8 Ed25519 key (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Tells whether 64 bytes are a seed and its public key, which is how Solana and libsodium store a key pair. */
export function isKeyPair(bytes: Uint8Array): boolean {
  if (bytes.length !== 2 * HALF) return false;
  const der = Buffer.concat([PKCS8_PREFIX, bytes.subarray(0, HALF)]);
  const pair = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(pair).export({ format: "der", type: "spki" });
  return spki.subarray(-HALF).equals(bytes.subarray(HALF));
}

/** 51 or 52 characters are a Bitcoin key. 86 to 88 characters are 64 bytes: a Solana key pair or a signature. */
const BASE58_KEY = new RegExp(
  `${WORD_START}(?:[1-9A-HJ-NP-Za-km-z]{51,52}|[1-9A-HJ-NP-Za-km-z]{86,88})(?![A-Za-z0-9])`,
  "g",
);
const LIKELY_BASE58_KEY = /[1-9A-HJ-NP-Za-km-z]{51}/;

const base58check = createBase58check((bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest(),
);
/** First byte of a key in Wallet Import Format, on the main network and on test networks. */
const WIF_VERSIONS: readonly (number | undefined)[] = [0x80, 0xef];
/** Version and key, optionally followed by a byte that marks a compressed public key. */
const WIF_LENGTHS: readonly number[] = [33, 34];

/**
 * Transaction signatures are as long as a Solana key pair but public. They are told apart by computing the
 * public key: the second half of a key pair is the public key of the first.
 */
export const base58Key: Detector = {
  id: "wallet-key",
  purpose: "a Bitcoin key in Wallet Import Format or a Solana key pair in base58",
  certain: true,
  mayFind: (text) => LIKELY_BASE58_KEY.test(text),
  find: (text) =>
    findMatches(text, { pattern: BASE58_KEY, wordStart: "bare" }).filter(({ start, end }) => {
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

const BYTE_LIST = /\[\s{0,8}[0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){63}\s{0,8}\]/g;

/** Tests only the first few bytes: lists of that many small numbers are rare. */
const LIKELY_BYTE_LIST = /\[\s{0,8}[0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){15}/;

/** Solana's command-line tool stores such a list in `id.json`. */
export const keyBytes: Detector = {
  id: "wallet-key",
  purpose: "a Solana key pair as a list of 64 bytes",
  certain: true,
  mayFind: (text) => LIKELY_BYTE_LIST.test(text),
  find: (text) =>
    findMatches(text, { pattern: BYTE_LIST }).flatMap((span) => {
      const bytes = (text.slice(span.start, span.end).match(/\d+/g) ?? []).map(Number);
      return isKeyPairList(bytes) ? [{ ...span, secret: bytes.join(",") }] : [];
    }),
};

export function isKeyPairList(list: readonly unknown[]): boolean {
  const bytes = list.filter(isByte);
  return bytes.length === 64 && list.length === 64 && isKeyPair(Uint8Array.from(bytes));
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** Maximum length of a key, in characters. A 16,384-bit key has 13,000. */
const MAX_LENGTH = 20_000;
/** A line of a truncated key. Line ends may be escaped once or several times. */
const LINE = /(?:\s|\\{1,8}[nr]){0,8}[A-Za-z0-9+/=]{16,1000}/y;

/** PEM and OpenPGP blocks, including truncated ones. */
export const privateKey: Detector = {
  id: "private-key",
  purpose: "a private key in a PEM or OpenPGP block, line ends escaped or not",
  certain: true,
  reach: MAX_LENGTH + 64,
  mayFind: (text) => text.includes("-----BEGIN "),
  find(text) {
    const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length);
    const spans: Span[] = [];
    let at = 0;
    for (const match of text.matchAll(BEGIN)) {
      const start = match.index;
      if (start < (spans.at(-1)?.end ?? 0)) continue;
      const bodyStart = start + match[0].length;
      while ((ends[at] ?? Number.POSITIVE_INFINITY) < bodyStart) at += 1;
      const whole = ends[at] ?? Number.POSITIVE_INFINITY;
      const end = whole - start <= MAX_LENGTH ? whole : endOfLines(text, bodyStart);
      // Code that only searches for the marker contains no key.
      if (end > bodyStart) spans.push({ start, end });
    }
    return spans;
  },
};

function endOfLines(text: string, start: number): number {
  let end = start;
  for (LINE.lastIndex = end; LINE.test(text); LINE.lastIndex = end) end = LINE.lastIndex;
  return end;
}
