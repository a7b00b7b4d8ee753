import { type Detector, findMatches } from "./detector.js";

/** Some JSON printers escape slashes. */
const SLASH = String.raw`\\{0,4}\/`;
const PLACES = [
  `alchemy\\.com${SLASH}(?:nft${SLASH})?v[0-9]${SLASH}`,
  `infura\\.io${SLASH}(?:ws${SLASH})?v3${SLASH}`,
  `quiknode\\.pro${SLASH}`,
  "X-Amz-Signature(?:=|%3D)",
].join("|");
const URL_KEY = new RegExp(
  `(?:${PLACES})(?<secret>(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,64})`,
  "dg",
);

export const urlKey: Detector = {
  id: "url-key",
  purpose: "the key in the path of a blockchain node's URL, and the signature of a signed URL",
  certain: true,
  mayFind: (text) => /alchemy\.com|infura\.io|quiknode\.pro|X-Amz-Signature/.test(text),
  find: (text) => findMatches(text, { pattern: URL_KEY }),
};

/** Slashes may be escaped. A password may contain an unescaped @. Templates are not redacted. */
const URL_PASSWORD =
  /(?<=[A-Za-z][A-Za-z0-9+.-]{0,20}:(?:\\{0,4}\/){2}[^\s/?#:@"'<>\\]{0,128}:)(?!\$|\{|%\(|\*\*)(?<secret>[^\s/?#"'<>\\]{1,256})(?=@[A-Za-z0-9[])/dg;

export const urlPassword: Detector = {
  id: "url-password",
  purpose: "the password of a URL, as in postgres://user:password@host",
  certain: true,
  mayFind: (text) => text.includes("@") && (text.includes("://") || text.includes(":\\")),
  find: (text) => findMatches(text, { pattern: URL_PASSWORD }),
};
