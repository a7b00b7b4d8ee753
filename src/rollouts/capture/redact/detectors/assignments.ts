import {
  classifyFieldName,
  isPlainWord,
  isSecretValue,
  mayNameSecret,
  type Naming,
} from "../field-names.js";
import {
  type Detector,
  endOf,
  findMatches,
  isTemplate,
  isUserAndPassword,
  isWordStart,
  type Span,
} from "./detector.js";

/** A name and an assignment to it. The quotes of name and value may be escaped, as in JSON inside JSON. */
const ASSIGNMENT =
  /(?<!(?<!%[0-9A-Fa-f])[A-Za-z0-9_])(?<name>[A-Za-z_][A-Za-z0-9_.-]{2,63})(?<nameQuote>\\{0,8}["'`])?(?<before>[ \t]{0,4})(?:=>|:=|[:=]|%3[ADad])(?<after>[ \t]{0,4})(?<quote>\\{0,8}["'`])?/g;
/** Longest quoted value, in characters. */
const MAX_LENGTH = 4096;
/** An unquoted value, as in env files, YAML, command lines and URLs. */
const UNQUOTED = /[^\s"'`\\&;,()[\]{}<>|]{6,512}/y;
const UNQUOTED_REST = /[^\s"'`\\&;,()[\]{}<>|]*/y;
/** Unquoted values shorter than this may be expressions, however they are delimited. */
const LONG = 16;
/** A member expression in code: `process.env.TOKEN2`. */
const EXPRESSION = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;

/**
 * Detects values assigned to secret names in texts that are not JSON: code, env files, truncated JSON. An
 * unquoted value must contain a letter and a digit: `password: string` is a type.
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
      const naming = classifyName(text, match.index, name);
      if (naming === undefined || closesText(text, match)) {
        // The next name may start where a value would be: `a=password=...`.
        ASSIGNMENT.lastIndex = match.index + name.length;
        continue;
      }
      const start = ASSIGNMENT.lastIndex;
      const isTight = before === "" && (after === "" || match[0].includes(":"));
      const isEncoded = match[0].includes("%");
      const isPhrase = naming === "phrase" && !match[0].includes(":");
      const end =
        quote === undefined
          ? endOfUnquoted(text, start, { isTight, isEncoded, isPhrase })
          : endOfQuoted(text, start, quote);
      const isTaken = end > start && !isTemplate(text.slice(start, end));
      if (isTaken && isSecretValue(text.slice(start, end), naming)) spans.push({ start, end });
      ASSIGNMENT.lastIndex = Math.max(start, end);
    }
    return spans;
  },
};

/** In escaped text, the first letter of a name may belong to an escape: `\\npass=...`. */
function classifyName(text: string, start: number, name: string): Naming | undefined {
  const isEscape = text.charAt(start - 1) === "\\" && /^[bfnrt]/.test(name);
  return (isEscape ? classifyFieldName(name.slice(1)) : undefined) ?? classifyFieldName(name);
}

/** How a value is assigned. */
interface Assignment {
  /** Without spaces, as in env files and URLs. */
  readonly isTight: boolean;
  /** With a percent-encoded sign. */
  readonly isEncoded: boolean;
  /** To the name of a password, which may consist of digits. */
  readonly isPhrase: boolean;
}

/**
 * Tells whether the quote closes a string that contains the name, as in `input("Password: ")`, or names a variable of
 * psql, as in `PASSWORD :'name'`.
 */
function closesText(text: string, match: RegExpExecArray): boolean {
  if (/[ \t]:["']$/.test(match[0])) return true;
  if (match.groups?.quote === undefined || match.groups.nameQuote !== undefined) return false;
  const end = match.index + match[0].length;
  return /^[ \t]{0,4}(?:$|[)\],;}])/.test(text.slice(end, end + 8));
}

/** The closing quote is escaped as often as the opening one. If there is none, the value is truncated. */
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

function endOfUnquoted(
  text: string,
  start: number,
  { isTight, isEncoded, isPhrase }: Assignment,
): number {
  UNQUOTED.lastIndex = start;
  if (!UNQUOTED.test(text)) return start;
  const value = text.slice(start, UNQUOTED.lastIndex);
  UNQUOTED_REST.lastIndex = UNQUOTED.lastIndex;
  // Values that are not secrets are not skipped: they may contain the next name.
  const isNumber = /^\d+$/.test(value);
  if (EXPRESSION.test(value) || !(isNumber || /[A-Za-z]/.test(value)) || !/\d/.test(value))
    return start;
  if (isNumber && !(isPhrase && isTight)) return start;
  const last = UNQUOTED_REST.test(text) ? UNQUOTED_REST.lastIndex : start + value.length;
  const end = isEncoded ? endOfEncoded(text, start, last) : last;
  if (text.charAt(end) === "(") return start;
  return isTight || value.length >= LONG ? end : start;
}

/** In a URL inside a URL, the next field begins with an escaped `&`. `#`, quotes and spaces may also be escaped. */
function endOfEncoded(text: string, start: number, end: number): number {
  const at = text.slice(start, end).search(/%(?:2[0236]|0[AD])/i);
  return at === -1 ? end : start + at;
}

const HINT = /authorization|bearer|basic/i;
/** Schemes of RFC 9110 and of well-known APIs, which are no secrets. */
const SCHEME =
  /^(?:bearer|basic|digest|negotiate|ntlm|hawk|oauth|mac|dpop|token|key|bot|api-?key|client-id|splunk|geniekey|ssws|sharedkey(?:lite)?|sharedaccesssignature|aws4-hmac-sha256|googlelogin|[a-z0-9]{1,20}(?:-[a-z0-9]{1,20})?-(?:key|token|oauthtoken))$/i;
const QUOTE = String.raw`\\{0,4}["']?`;
const PARAMETER = String.raw`[A-Za-z][A-Za-z0-9_-]{0,40}=\\{0,4}"[^"\\[\n]{0,1024}\\{0,4}"`;
/** After the header name, an optional scheme, and credentials: a token, or parameters as of Digest and AWS. */
const HEADER = new RegExp(
  String.raw`(?:proxy-)?authorization${QUOTE}\s{0,4}[:=]\s{0,4}${QUOTE}` +
    String.raw`(?:(?<scheme>[A-Za-z][A-Za-z0-9_-]{1,40})[ \t]{1,4})?` +
    `(?<secret>${PARAMETER}|[A-Za-z0-9._~+/=:!@-]{6,512})`,
  "dgi",
);
const HEADER_REST = /[A-Za-z0-9._~+/=:!@-]*/y;
const PARAMETERS = new RegExp(
  String.raw`(?:[,;] {0,2}(?:${PARAMETER}|[A-Za-z][A-Za-z0-9_-]{0,40}=[^\s"'\\,[]{0,1024})){0,50}`,
  "y",
);
/** Minimum length of credentials without a scheme, in characters. */
const MIN_WORD = 6;
/** Minimum length of a token after a scheme that is not known: shorter words may be those of a sentence. */
const MIN_CREDENTIALS = 8;
/** Without the header name, a scheme may be a word in a sentence: "bearer authentication". */
const BEARER =
  /bearer(?:\s{1,4}|%20|\+)(?=[A-Za-z_.~+/=-]{0,64}[0-9])(?<secret>[A-Za-z0-9._~+/=-]{16,512})/dgi;
const BASIC = /basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,512}={0,2})/dgi;
const CREDENTIALS_REST = /[A-Za-z0-9._~+/=-]*/y;

export const authorization: Detector = {
  id: "authorization",
  purpose: "the credentials of an Authorization header, of Bearer and of Basic",
  certain: true,
  mayFind: (text) => HINT.test(text),
  find(text) {
    const bearers = findMatches(text, { pattern: BEARER, rest: CREDENTIALS_REST, wordStart: true });
    const basics = findMatches(text, { pattern: BASIC, rest: CREDENTIALS_REST, wordStart: true });
    return [
      ...findHeaders(text),
      ...bearers,
      ...basics.filter((span) => isUserAndPassword(text.slice(span.start, span.end))),
    ];
  },
};

/** The values of Authorization headers, without the scheme. */
function findHeaders(text: string): Span[] {
  const spans: Span[] = [];
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match !== null; match = HEADER.exec(text)) {
    const span = isWordStart(text, match.index, false) ? findCredentials(text, match) : undefined;
    if (span !== undefined) spans.push(span);
    // The value may contain the next header.
    HEADER.lastIndex = span?.end ?? match.index + 1;
  }
  return spans;
}

/** The credentials of a header. Without a known scheme, the first word may be all there is. */
function findCredentials(text: string, match: RegExpExecArray): Span | undefined {
  const { scheme, secret = "" } = match.groups ?? {};
  const [start, end] = match.indices?.groups?.secret ?? [0, 0];
  if (isCredentials(secret, scheme, text.slice(end, end + 8))) {
    return { start, end: endOf(text, endOf(text, end, HEADER_REST), PARAMETERS) };
  }
  const [first, last] = match.indices?.groups?.scheme ?? [0, 0];
  const isFirst =
    scheme !== undefined &&
    scheme.length >= MIN_WORD &&
    isCredentials(scheme, undefined, text.slice(last, last + 8));
  return isFirst ? { start: first, end: last } : undefined;
}

/** Tells credentials from words about authorization and from calls in code. `after` is the text that follows. */
function isCredentials(secret: string, scheme: string | undefined, after: string): boolean {
  if (isPlainWord(secret) || SCHEME.test(secret) || after.startsWith("(")) return false;
  if (scheme === undefined) {
    // A word that is followed by a template or a placeholder is a scheme.
    if (/^[ \t]{1,4}[[$<{%*]/.test(after)) return false;
    return /\d/.test(secret) || secret.length >= LONG || !/^[ \t]/.test(after);
  }
  if (SCHEME.test(scheme) || /="/.test(secret)) return true;
  return secret.length >= LONG || (secret.length >= MIN_CREDENTIALS && /\d/.test(secret));
}

/** A header consists of its name, a colon, and name=value. */
const COOKIE = new RegExp(
  String.raw`(?:set-)?cookie\\{0,4}["']?\s{0,4}:\s{0,4}\\{0,4}["']?` +
    String.raw`(?<secret>[A-Za-z0-9_.$-]{1,128}=[^\s"'\\[\];]{1,1024})`,
  "dgi",
);
const COOKIE_REST = /(?:; ?[A-Za-z0-9_.$-]{1,128}=[^\s"'\\[\];]{1,4096}){0,200}/y;

export const cookie: Detector = {
  id: "cookie",
  purpose: "the content of a Cookie or Set-Cookie header",
  certain: true,
  mayFind: (text) => /cookie/i.test(text),
  find: (text) => findMatches(text, { pattern: COOKIE, rest: COOKIE_REST, wordStart: true }),
};
