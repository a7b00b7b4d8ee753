import type { Detector, Span } from "./detector.js";

/** A group of digits. A URL escape matches too, because it may end in digits. */
const GROUP = /%[0-9A-Fa-f]{2}|[0-9]+/g;
/** At least as many digits as the shortest card number. */
const LIKELY = /[0-9](?:[ \u00a0-]?[0-9]){12}/;
const SEPARATOR = /^[ \u00a0-]$/;
/** A number next to such text is part of a word, a decimal number or a path. Escapes do not count as text. */
const BEFORE = /(?<!\\(?=[bfnrt])|%[0-9A-Fa-f](?=[0-9A-Fa-f]))[A-Za-z0-9_.,+/]$/;
const BEHIND = /^(?:[A-Za-z0-9_]|[.,][0-9])/;
/** Minimum digits per group, except the last, if there are several groups. This excludes tables of small numbers. */
const MIN_GROUP = 3;
/** Number of digits in the shortest card number. */
const SHORTEST = 13;
/** Maximum number of groups: seven groups of three digits. */
const MAX_GROUPS = 7;

/** Leading digits and lengths, from the issuers' published ranges (ISO/IEC 7812). */
const BRANDS: readonly (readonly [pattern: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[689])/, [14]],
  [/^(?:6011|64[4-9]|65|622)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 19]],
  [/^(?:62|81)/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [16, 19]],
];

export const cardNumber: Detector = {
  id: "card-number",
  purpose:
    "the number of a payment card: an issuer's range and length, and a check digit that holds",
  certain: false,
  mayFind: (text) => LIKELY.test(text),
  find(text) {
    const groups = [...text.matchAll(GROUP)].filter(([group]) => !group.startsWith("%"));
    const spans: Span[] = [];
    let at = 0;
    while (at < groups.length) {
      const last = findLastGroup(text, groups, at);
      const [begin, end] = [groups[at], groups[last ?? -1]];
      if (last !== undefined && begin !== undefined && end !== undefined) {
        const secret = groups
          .slice(at, last + 1)
          .map(([digits]) => digits)
          .join("");
        spans.push({ start: begin.index, end: end.index + end[0].length, secret });
      }
      at = (last ?? at) + 1;
    }
    return spans;
  },
};

export function isCardNumber(digits: string): boolean {
  return (
    BRANDS.some(([pattern, lengths]) => lengths.includes(digits.length) && pattern.test(digits)) &&
    hasCheckDigit(digits)
  );
}

/** A number may begin at any group, and ends at a group boundary. */
function findLastGroup(
  text: string,
  groups: readonly RegExpExecArray[],
  first: number,
): number | undefined {
  let digits = "";
  let end: number | undefined;
  for (let at = first; at < first + MAX_GROUPS; at += 1) {
    const group = groups[at];
    if (group === undefined) return undefined;
    if (end === undefined) {
      const behind = text.charAt(group.index + group[0].length);
      if (group[0].length < SHORTEST && !SEPARATOR.test(behind)) return undefined;
      if (BEFORE.test(text.slice(Math.max(0, group.index - 3), group.index))) return undefined;
    } else if (!SEPARATOR.test(text.slice(end, group.index))) return undefined;
    digits += group[0];
    end = group.index + group[0].length;
    if (isCardNumber(digits) && !BEHIND.test(text.slice(end, end + 2))) return at;
    if (group[0].length < MIN_GROUP) return undefined;
  }
  return undefined;
}

/** The Luhn algorithm (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.at(-1 - index));
    const doubled = index % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
