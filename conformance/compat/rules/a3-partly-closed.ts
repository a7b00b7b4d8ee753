import { additionalChangeOf } from "./parts/additional.js";
import type { Rule } from "./rule.js";

export const partlyClosed: Rule = {
  id: "A3",
  name: "partly-closed",
  summary: "Undeclared properties have to satisfy a schema now, or no longer.",
  mend: "leave the object as open as it was, or release a new version of the format",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "partial"
      ? [{ ...change.found, message: "has or had a schema for undeclared properties" }]
      : [];
  },
};
