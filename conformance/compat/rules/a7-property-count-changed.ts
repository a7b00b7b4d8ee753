import { type Limit, limitChanges, toLimitFinding } from "./parts/limits.js";
import type { Rule } from "./rule.js";

export const propertyCountChanged: Rule = {
  id: "A7",
  name: "property-count-changed",
  summary: "An object may have another number of properties.",
  mend: "keep the limit, or release a new version of the format",
  find(pair) {
    return limitChanges(pair, LIMITS).map(toLimitFinding);
  },
};

const LIMITS: readonly Limit[] = [
  { keywords: ["minProperties"], end: "least", byDefault: 0 },
  { keywords: ["maxProperties"], end: "most" },
];
