import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";

/** Slashes may be escaped, as some printers of JSON do. */
const SLASH = String.raw`\\{0,4}\/`;
const PLACES = [
  `alchemy\\.com${SLASH}(?:nft${SLASH})?v[0-9]${SLASH}`,
  `infura\\.io${SLASH}(?:ws${SLASH})?v3${SLASH}`,
  `quiknode\\.pro${SLASH}`,
  "X-Amz-Signature(?:=|%3D)",
].join("|");
const PATTERN = new RegExp(
  `(?:${PLACES})(?<secret>(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,64})`,
  "dg",
);

export const urlKey: Detector = {
  id: "url-key",
  purpose: "the key in the path of a blockchain node's URL, and the signature of a signed URL",
  certain: true,
  mayFind: (text) => /alchemy\.com|infura\.io|quiknode\.pro|X-Amz-Signature/.test(text),
  find: (text) => findMatches(text, { pattern: PATTERN }),
};
