import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";

/** Slashes may be escaped, as some printers of JSON do. A password may hold a bare @. Templates are let be. */
const PATTERN =
  /(?<=[A-Za-z][A-Za-z0-9+.-]{0,20}:(?:\\{0,4}\/){2}[^\s/?#:@"'<>\\]{0,128}:)(?!\$|\{|%\(|\*\*)(?<secret>[^\s/?#"'<>\\]{1,256})(?=@[A-Za-z0-9[])/dg;

export const urlPassword: Detector = {
  id: "url-password",
  purpose: "the password of a URL, as in postgres://user:password@host",
  certain: true,
  mayFind: (text) => text.includes("@") && (text.includes("://") || text.includes(":\\")),
  find: (text) => findMatches(text, { pattern: PATTERN }),
};
