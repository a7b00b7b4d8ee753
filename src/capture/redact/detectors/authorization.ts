import { isPlainWord } from "../is-secret-value.js";
import type { Detector } from "./detector.js";
import { findMatches } from "./find-matches.js";
import { isUserAndPassword } from "./is-user-and-password.js";

const HINT = /authorization|bearer|basic/i;
const SCHEMES = "(?:bearer|basic|token|apikey|digest|negotiate|bot)";
const QUOTE = String.raw`\\{0,4}["']?`;
/** After the header's name and a scheme, if any, everything is a credential that is no template. */
const HEADER = new RegExp(
  String.raw`(?:proxy-)?authorization${QUOTE}\s{0,4}[:=]\s{0,4}${QUOTE}(?:${SCHEMES}\s{1,4})?` +
    `(?!${SCHEMES}(?![A-Za-z0-9])|[$<{%*])(?<secret>[A-Za-z0-9._~+/=:-]{6,512})`,
  "dgi",
);
/** Without the header's name, a scheme may be a word of a sentence: "bearer authentication". */
const BEARER =
  /bearer(?:\s{1,4}|%20|\+)(?=[A-Za-z_.~+/=-]{0,64}[0-9])(?<secret>[A-Za-z0-9._~+/=-]{16,512})/dgi;
const BASIC = /basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,512}={0,2})/dgi;
const REST = /[A-Za-z0-9._~+/=-]*/y;

export const authorization: Detector = {
  id: "authorization",
  purpose: "the credentials of an Authorization header, of Bearer and of Basic",
  certain: true,
  mayFind: (text) => HINT.test(text),
  find(text) {
    const schemes = findMatches(text, { pattern: HEADER, rest: REST, wordStart: true }).filter(
      ({ start, end }) => !isPlainWord(text.slice(start, end)),
    );
    const bearers = findMatches(text, { pattern: BEARER, rest: REST, wordStart: true });
    const basics = findMatches(text, { pattern: BASIC, rest: REST, wordStart: true });
    return [
      ...schemes,
      ...bearers,
      ...basics.filter((span) => isUserAndPassword(text.slice(span.start, span.end))),
    ];
  },
};
