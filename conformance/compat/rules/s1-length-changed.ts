import { type Limit, limitChanges, toLimitFinding } from "./parts/limits.js";
import type { Rule } from "./rule.js";

export const lengthChanged: Rule = {
  id: "S1",
  name: "length-changed",
  summary: "Texts of other lengths are allowed.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, LIMITS).map(toLimitFinding);
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minLength"], end: "least", byDefault: 0 },
  { keywords: ["maxLength"], end: "most" },
];
