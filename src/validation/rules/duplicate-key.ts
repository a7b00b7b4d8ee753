import { countKeyMarks, scanJson, unquote } from "../../json/tokens.js";
import { previewValue } from "../../text.js";
import type { LineRule, RuledLine } from "./rule.js";

/**
 * Of two values under one key most readers keep the last without a word, some the first, and others
 * refuse the line (RFC 8259, section 4). Keys are compared as they are read, whatever their escapes.
 */
export const duplicateKey = {
  id: "duplicate-key",
  purpose: "no object has two values under one key",
  scope: "line",
  check({ text, measure }: Pick<RuledLine, "text" | "measure">) {
    // Where no more is written than was read, nothing was overwritten.
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
