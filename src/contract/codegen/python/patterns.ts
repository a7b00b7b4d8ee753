import { EXIT, UserError } from "../../../base/user-error.js";
import { pythonString } from "./names.js";

/** The compiled patterns of a Python module, each with one name. */
export class PatternNames {
  /** Names by the expression that compiles them. */
  readonly #names = new Map<string, string>();

  /** The name of a pattern in the module. Throws UserError (exit 1) if it cannot be translated. */
  nameOf(pattern: string, ignoreCase = false): string {
    const translated = translatePattern(pattern);
    if ("refused" in translated) {
      throw new UserError(`the pattern ${pattern}: ${translated.refused}`, EXIT.findings);
    }
    const flags = ignoreCase ? "re.ASCII | re.IGNORECASE" : "re.ASCII";
    const code = `re.compile(${pythonString(translated.pattern)}, ${flags})`;
    const name = this.#names.get(code) ?? `_PATTERN_${this.#names.size + 1}`;
    this.#names.set(code, name);
    return name;
  }

  /** A line for each. */
  print(): string[] {
    return [...this.#names].map(([code, name]) => `${name} = ${code}`);
  }
}

/** ECMAScript's white space and line terminators, which differ from Python's `\s`. */
const WHITE_SPACE =
  "\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

const LINE_TERMINATORS = "\\n\\r\\u2028\\u2029";

/** Constructs that the two engines interpret differently, or that Python lacks. */
const REFUSED: readonly { readonly test: RegExp; readonly reason: string }[] = [
  { test: /\\u[dD][89a-fA-F]/, reason: "write a character beyond U+FFFF as \\u{...}" },
  {
    test: /\\u\{0*[0-9a-fA-F]{7,}|\\u\{0[0-9a-fA-F]{6,}/,
    reason: "\\u{...} of more than six digits",
  },
  { test: /\(\?<[=!]/, reason: "lookbehind" },
  { test: /\\[1-9]/, reason: "a reference to a group" },
  { test: /\\B/, reason: "\\B" },
  { test: /\{\d{5,}|,\d{5,}\}/, reason: "more than 9999 repetitions" },
  { test: /\(\?<(?![A-Za-z_]\w*>)/, reason: "the name of a group that Python does not accept" },
  { test: /--/, reason: "two hyphens in a row, which Python reserves" },
];

/**
 * Translates an ECMAScript pattern (with the flag `u`) for Python's `re` with `re.ASCII`, or returns a reason
 * why that is impossible.
 *
 * The differences: `$` matches before a trailing newline in Python; `.` and `\s` cover other characters;
 * `\d`, `\w` and `\b` are ASCII in ECMAScript; `\u{...}`, `\/` and `(?<name>` have a different syntax.
 */
export function translatePattern(pattern: string): { pattern: string } | { refused: string } {
  const refused = REFUSED.find(({ test }) => test.test(pattern));
  if (refused !== undefined) return { refused: refused.reason };
  let out = "";
  let inClass = false;
  let rest = pattern;
  while (rest !== "") {
    const token =
      /^(?:\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\(\?<(?![=!])|.)/su.exec(
        rest,
      )?.[0] ?? "";
    rest = rest.slice(token.length);
    if (token.startsWith("\\")) {
      const translated = translateEscape(token, inClass);
      if (translated === undefined) return { refused: `${token} has no equal in Python` };
      out += translated;
    } else if (inClass) {
      if (token === "]") inClass = false;
      // Python reserves these in classes for set operations.
      out += /[[&~|]/.test(token) ? `\\${token}` : token;
    } else if (token === "[") {
      const negated = rest.startsWith("^");
      if (negated) rest = rest.slice(1);
      if (rest.startsWith("]")) {
        // [] matches nothing and [^] everything; Python would read the bracket as a member.
        rest = rest.slice(1);
        out += negated ? "(?s:.)" : "(?!)";
      } else {
        inClass = true;
        out += negated ? "[^" : "[";
      }
    } else if (token === "$") {
      out += "\\Z";
    } else if (token === ".") {
      out += `[^${LINE_TERMINATORS}]`;
    } else if (token === "(?<") {
      out += "(?P<";
    } else {
      out += token;
    }
  }
  return { pattern: out };
}

function translateEscape(token: string, inClass: boolean): string | undefined {
  const code = /^\\u\{?([0-9a-fA-F]+)\}?$/.exec(token)?.[1];
  if (code !== undefined) return `\\U${code.padStart(8, "0")}`;
  if (/^\\x/.test(token)) return token;
  const letter = token.slice(1);
  if (letter === "s") return inClass ? WHITE_SPACE : `[${WHITE_SPACE}]`;
  if (letter === "S") return inClass ? undefined : `[^${WHITE_SPACE}]`;
  if (/^[dDwWtnvfr]$/.test(letter)) return token;
  if (letter === "b") return token;
  if (letter === "0") return "\\x00";
  if (/^[A-Za-z]$/.test(letter)) return undefined;
  return letter === "/" ? "/" : token;
}
