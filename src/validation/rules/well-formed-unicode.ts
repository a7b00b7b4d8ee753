import { scanJson, unquote } from "../../json/tokens.js";
import type { LineRule, RuledLine } from "./rule.js";

/**
 * A surrogate, written as an escape, without its other half beside it. Behind another backslash it may be none,
 * neither itself nor as the other half.
 */
const LONE_ESCAPE =
  /\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!(?<!\\)\\u[dD][89abAB]..\\u[dD])[c-fC-F])/;

/** An unpaired surrogate, in a text that is read by code points. */
const LONE = /\p{Surrogate}/u;

/**
 * A lone surrogate is no character: Python cannot encode it as UTF-8, JavaScript writes U+FFFD for it, and
 * the same text is tokenized as different ones. In a line of UTF-8 only an escape can make one.
 */
export const wellFormedUnicode = {
  id: "well-formed-unicode",
  purpose: "no text holds half of a surrogate pair",
  scope: "line",
  check({ text }: Pick<RuledLine, "text">) {
    if (!text.includes("\\u") || !LONE_ESCAPE.test(text)) return [];
    const faults = [];
    for (const { kind, start, end, pointer } of scanJson(text)) {
      if (kind === "number") continue;
      const lone = LONE.exec(unquote(text.slice(start, end)))?.[0];
      if (lone === undefined) continue;
      const code = lone.charCodeAt(0).toString(16).toUpperCase();
      const what = kind === "key" ? "its key holds" : "holds";
      const message = `${what} a lone surrogate: U+${code}`;
      faults.push({ pointer: pointer(), column: start + 1, message });
    }
    return faults;
  },
} as const satisfies LineRule;
