import type { Detector, Span } from "./detector.js";

/** As mail programs write it, and in URLs. */
const AT = /@|%40/g;
/** Maximum lengths of the local part and of the domain (RFC 5321, section 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
const LOCAL = /[A-Za-z0-9\u00c0-\u024f._%+'-]/;
const DOMAIN = /[A-Za-z0-9\u00c0-\u024f.-]/;
const TOP_LEVEL = /^(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})$/;
/** Look-alikes: a version in `lodash@4.17.x-beta.rc`, an image scale in `icon@2x.png`. */
const VERSION = /^v?\d+(?:\.\d|x\.)/;
/** The text before the end of a URL's password, as `urlPassword` reads it. */
const USER_INFO = /[A-Za-z0-9+.-]:(?:\\{0,4}\/){2}[^\s/?#:@"'<>\\]{0,128}:[^\s/?#@"'<>\\]{0,64}$/;
const USER_INFO_REACH = 220;
/** User names in git remotes such as git@github.com:owner/name. */
const REMOTE_USERS: readonly string[] = ["git", "hg", "svn"];

export const email: Detector = {
  id: "email",
  purpose: "an e-mail address",
  certain: true,
  mayFind: (text) => text.includes("@") || text.includes("%40"),
  find(text) {
    const spans: Span[] = [];
    for (const match of text.matchAll(AT)) {
      const from = spans.at(-1)?.end ?? 0;
      const start = startOfLocal(text, match.index, Math.max(from, match.index - MAX_LOCAL));
      const end = endOfDomain(text, match.index + match[0].length);
      if (start < match.index && end !== undefined) {
        const isRemote =
          text.charAt(end) === ":" && REMOTE_USERS.includes(text.slice(start, match.index));
        if (isRemote || isUrlPassword(text, start)) continue;
        const secret = text.slice(start, end).replace("%40", "@").toLowerCase();
        spans.push({ start, end, secret });
      }
    }
    return spans;
  },
};

function startOfLocal(text: string, at: number, limit: number): number {
  let start = at;
  while (start > limit && LOCAL.test(text.charAt(start - 1))) start -= 1;
  // Removes the rest of an escape: `\nbob@...` in truncated JSON, `%20bob@...` in a URL.
  if (text.charAt(start - 1) === "\\" && /[nrt]/.test(text.charAt(start))) start += 1;
  while (start < at && /[.%'+-]/.test(text.charAt(start)))
    start += text.charAt(start) === "%" ? 3 : 1;
  return Math.min(start, at);
}

/** Undefined if no domain follows. */
function endOfDomain(text: string, start: number): number | undefined {
  const limit = Math.min(text.length, start + MAX_DOMAIN);
  let end = start;
  while (end < limit && DOMAIN.test(text.charAt(end))) end += 1;
  const labels = text.slice(start, end).split(".");
  // A sentence may end after the address, or continue with a dash.
  while (labels.length > 1 && !TOP_LEVEL.test(labels.at(-1) ?? "")) {
    const label = labels.pop() ?? "";
    const [word = ""] = /^[A-Za-z]{2,24}(?=-)/.exec(label) ?? [];
    if (word !== "") labels.push(word);
  }
  const domain = labels.join(".");
  if (labels.length < 2 || labels.includes("") || VERSION.test(domain)) return undefined;
  return start + domain.length;
}

/** In `scheme://user:password@host`, another detector redacts the password, and the host is not an address. */
function isUrlPassword(text: string, start: number): boolean {
  return USER_INFO.test(text.slice(Math.max(0, start - USER_INFO_REACH), start));
}
