import { findLoneSurrogates } from "../../../../base/json/text-faults.js";
import type { LineRule } from "./rule.js";

/** The same text with a lone surrogate is tokenized differently, or cannot be encoded at all. */
export const wellFormedUnicode = {
  id: "well-formed-unicode",
  purpose: "no string contains a lone surrogate",
  scope: "line",
  check: (line) => findLoneSurrogates(line),
} as const satisfies LineRule;
