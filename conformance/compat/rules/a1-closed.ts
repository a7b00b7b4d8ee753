import { additionalChangeOf } from "./parts/additional.js";
import type { Rule } from "./rule.js";

export const closed: Rule = {
  id: "A1",
  name: "closed",
  summary: "Undeclared properties are rejected now.",
  mend: "leave the object open, or release a new version of the format",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "closed"
      ? [{ ...change.found, message: "rejects undeclared properties now" }]
      : [];
  },
};
