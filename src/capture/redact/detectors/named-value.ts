import { isSecretValue } from "../is-secret-value.js";
import { mayNameSecret, namingOf } from "../naming-of.js";
import type { Detector, Span } from "./detector.js";
import { isTemplate } from "./is-template.js";

/** A name, and an assignment to it; the quotes of name and value may be escaped, as in JSON inside of JSON. */
const ASSIGNMENT =
  /(?<!(?<!%[0-9A-Fa-f])[A-Za-z0-9_])(?<name>[A-Za-z_][A-Za-z0-9_.-]{2,63})(?<nameQuote>\\{0,8}["'`])?(?<before>[ \t]{0,4})(?:=>|:=|[:=]|%3[ADad])(?<after>[ \t]{0,4})(?<quote>\\{0,8}["'`])?/g;
/** Longest quoted value that is taken, in characters. */
const MAX_LENGTH = 4096;
/** An unquoted value as env files, YAML, command lines and URLs have it. */
const UNQUOTED = /[^\s"'`\\&;,()[\]{}<>|]{6,512}/y;
const UNQUOTED_REST = /[^\s"'`\\&;,()[\]{}<>|]*/y;
/** Shortest unquoted value that is one, however it is set apart: shorter ones might be an expression. */
const LONG = 16;
/** A path of names, as code has it: `process.env.TOKEN2`. */
const EXPRESSION = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;

/**
 * In texts that are no JSON of their own: code, env files, JSON that was cut off. An unquoted value is taken only
 * if it has a letter and a digit: `password: string` is a type.
 */
export const namedValue: Detector = {
  id: "secret",
  purpose: 'the value that is assigned to a secret\'s name, as in password = "..." or API_KEY=...',
  certain: false,
  mayFind: (text) => mayNameSecret(text) && /[:=]|%3[ADad]/.test(text),
  find(text) {
    const spans: Span[] = [];
    ASSIGNMENT.lastIndex = 0;
    for (let match = ASSIGNMENT.exec(text); match !== null; match = ASSIGNMENT.exec(text)) {
      const { name = "", before = "", after = "", quote } = match.groups ?? {};
      const naming = namingOf(name);
      if (naming === undefined || closesText(text, match)) {
        // The next name may be where a value would be: `a=password=...`.
        ASSIGNMENT.lastIndex = match.index + name.length;
        continue;
      }
      const start = ASSIGNMENT.lastIndex;
      const isTight = before === "" && (after === "" || match[0].includes(":"));
      const isEncoded = match[0].includes("%");
      const end =
        quote === undefined
          ? endOfUnquoted(text, start, isTight, isEncoded)
          : endOfQuoted(text, start, quote);
      const isTaken = end > start && !isTemplate(text.slice(start, start + LONG));
      if (isTaken && isSecretValue(text.slice(start, end), naming)) spans.push({ start, end });
      ASSIGNMENT.lastIndex = Math.max(start, end);
    }
    return spans;
  },
};

/** Whether the quote ends a text that the name is in, as in `input("Password: ")`. */
function closesText(text: string, match: RegExpExecArray): boolean {
  if (match.groups?.quote === undefined || match.groups.nameQuote !== undefined) return false;
  const end = match.index + match[0].length;
  return /^[ \t]{0,4}(?:$|[)\],;}])/.test(text.slice(end, end + 8));
}

/** The closing quote is escaped as often as the opening one; without any, the value was cut off. */
function endOfQuoted(text: string, start: number, quote: string): number {
  const limit = Math.min(text.length, start + MAX_LENGTH);
  let slashes = 0;
  for (let index = start; index < limit; index += 1) {
    const char = text.charAt(index);
    if (char === quote.at(-1) && slashes === quote.length - 1) return index - slashes;
    if (char === "\n") return start;
    slashes = char === "\\" ? slashes + 1 : 0;
  }
  return limit;
}

function endOfUnquoted(text: string, start: number, isTight: boolean, isEncoded: boolean): number {
  UNQUOTED.lastIndex = start;
  if (!UNQUOTED.test(text)) return start;
  const value = text.slice(start, UNQUOTED.lastIndex);
  UNQUOTED_REST.lastIndex = UNQUOTED.lastIndex;
  // Only what is a value is read to its end: the next name may be within what is none.
  if (EXPRESSION.test(value) || !/[A-Za-z]/.test(value) || !/\d/.test(value)) return start;
  const last = UNQUOTED_REST.test(text) ? UNQUOTED_REST.lastIndex : start + value.length;
  const end = isEncoded ? endOfEncoded(text, start, last) : last;
  if (text.charAt(end) === "(") return start;
  return isTight || value.length >= LONG ? end : start;
}

/** Within a URL of another URL the next field begins with an escaped `&`; also escaped are `#`, quotes and spaces. */
function endOfEncoded(text: string, start: number, end: number): number {
  const at = text.slice(start, end).search(/%(?:2[0236]|0[AD])/i);
  return at === -1 ? end : start + at;
}
