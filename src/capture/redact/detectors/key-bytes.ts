import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";
import { isKeyPair } from "./is-key-pair.js";

const PATTERN = /\[\s{0,8}[0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){63}\s{0,8}\]/g;

/** The first few bytes: lists of so many small numbers are rare. */
const LIKELY = /\[\s{0,8}[0-9]{1,3}(?:\s{0,8},\s{0,8}[0-9]{1,3}){15}/;

/** The file `id.json` of Solana's command line is such a list. */
export const keyBytes: Detector = {
  id: "wallet-key",
  purpose: "a Solana key pair as a list of 64 bytes",
  certain: true,
  mayFind: (text) => LIKELY.test(text),
  find: (text) =>
    findMatches(text, { pattern: PATTERN }).flatMap((span) => {
      const bytes = (text.slice(span.start, span.end).match(/\d+/g) ?? []).map(Number);
      return isKeyPairList(bytes) ? [{ ...span, secret: bytes.join(",") }] : [];
    }),
};

/** Whether a list of JSON is a key pair. */
export function isKeyPairList(list: readonly unknown[]): boolean {
  const bytes = list.filter(isByte);
  return bytes.length === 64 && list.length === 64 && isKeyPair(Uint8Array.from(bytes));
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}
