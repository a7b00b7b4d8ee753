import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";

/** A header is its name, a colon and name=value. */
const PATTERN = new RegExp(
  String.raw`(?:set-)?cookie\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?` +
    String.raw`(?<secret>[A-Za-z0-9_.$-]{1,128}=[^\s"'\\[\];]{1,1024})`,
  "dgi",
);
const REST = /(?:; ?[A-Za-z0-9_.$-]{1,128}=[^\s"'\\[\];]{1,4096}){0,200}/y;

export const cookie: Detector = {
  id: "cookie",
  purpose: "the content of a Cookie or Set-Cookie header",
  certain: true,
  mayFind: (text) => /cookie/i.test(text),
  find: (text) => findMatches(text, { pattern: PATTERN, rest: REST, wordStart: true }),
};
