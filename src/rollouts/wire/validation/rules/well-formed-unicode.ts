import { scanJson, unquote } from "../../../../base/json/tokens.js";
import type { LineRule, RuledLine } from "./rule.js";

/** An escaped surrogate without its other half. After a backslash, the match may be a false positive. */
const LONE_ESCAPE =
  /\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!(?<!\\)\\u[dD][89abAB]..\\u[dD])[c-fC-F])/;

/** An unpaired surrogate in a string. */
const LONE = /\p{Surrogate}/u;

/**
 * A lone surrogate is not a character: Python cannot encode it as UTF-8, JavaScript writes U+FFFD instead, and
 * the same text is tokenized differently. In a UTF-8 line, only an escape can produce one.
 */
export const wellFormedUnicode = {
  id: "well-formed-unicode",
  purpose: "no string contains a lone surrogate",
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
