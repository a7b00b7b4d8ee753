import { countKeyMarks, scanJson, unquote } from "../../../../base/json/tokens.js";
import { previewValue } from "../../../../base/text.js";
import type { LineRule, RuledLine } from "./rule.js";

/**
 * For duplicate keys, most readers silently keep the last value, some keep the first, and others reject the
 * line (RFC 8259, section 4). Keys are compared after unescaping.
 */
export const duplicateKey = {
  id: "duplicate-key",
  purpose: "no object has duplicate keys",
  scope: "line",
  check({ text, measure }: Pick<RuledLine, "text" | "measure">) {
    // If the text has no more keys than the parsed value, nothing was overwritten.
    if (countKeyMarks(text) === measure.keys) return [];
    const keys = new Map<object, Set<string>>();
    const faults = [];
    for (const { kind, start, end, owner, pointer } of scanJson(text)) {
      if (kind !== "key") continue;
      const key = unquote(text.slice(start, end));
      const seen = keys.get(owner);
      if (seen === undefined) keys.set(owner, new Set([key]));
      else if (seen.size === seen.add(key).size) {
        const message = `a second value under the key ${previewValue(key)}`;
        faults.push({ pointer: pointer(), column: start + 1, message });
      }
    }
    return faults;
  },
} as const satisfies LineRule;
