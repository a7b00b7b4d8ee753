import { type Detector, findMatches, type Span } from "./detector.js";

/** Some JSON printers escape slashes. */
const SLASH = String.raw`\\{0,4}\/`;
const PLACES = [
  `alchemy\\.com${SLASH}(?:nft${SLASH})?v[0-9]${SLASH}`,
  `infura\\.io${SLASH}(?:ws${SLASH})?v3${SLASH}`,
  `quiknode\\.pro${SLASH}`,
].join("|");
const PATH_KEY = new RegExp(
  `(?:${PLACES})(?<secret>(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{16,64})`,
  "dg",
);
/** The signatures of signed URLs: hexadecimal for AWS and Google, base64 for Azure. */
const SIGNATURE =
  /(?:X-(?:Amz|Goog)-Signature|(?:[?&;]|%26)sig)(?:=|%3D)(?<secret>(?=[A-Za-z_%+/-]{0,64}[0-9])(?:[A-Za-z0-9_+/-]|%(?:25)?2[BF]){16,1024}(?:=|%(?:25)?3D)?)/dgi;

export const urlKey: Detector = {
  id: "url-key",
  purpose: "the key in the path of a blockchain node's URL, and the signature of a signed URL",
  certain: true,
  mayFind: (text) => /alchemy\.com|infura\.io|quiknode\.pro|sig(?:nature)?(?:=|%3D)/i.test(text),
  find: (text) =>
    [
      ...findMatches(text, { pattern: PATH_KEY }),
      ...findMatches(text, { pattern: SIGNATURE }),
    ].toSorted((a, b) => a.start - b.start),
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

const PARAMETER = /[?&;][\w.~-]{1,64}=(?<secret>[^\s&;"'<>#\\]{8,8192})/dg;

/** Detects the values of URL parameters in which the other detectors find a secret only once they are decoded. */
export function createUrlParameter(others: readonly Detector[]): Detector {
  const isSecret = (text: string): boolean =>
    others.some(({ mayFind, find }) => mayFind(text) && find(text).length > 0);
  return {
    id: "url-parameter",
    purpose: "a percent-encoded secret in the parameters of a URL",
    certain: false,
    mayFind: (text) => text.includes("%") && /[?&;][\w.~-]{1,64}=/.test(text),
    find: (text) =>
      findMatches(text, { pattern: PARAMETER }).filter((span) => isEncodedSecret(text, span)),
  };

  function isEncodedSecret(text: string, { start, end }: Span): boolean {
    const value = text.slice(start, end);
    return value.includes("%") && isSecret(decode(value)) && !isSecret(value);
  }
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return value;
  }
}
