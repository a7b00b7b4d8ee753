import { additionalChangeOf } from "./parts/additional.js";
import type { Rule } from "./rule.js";

export const opened: Rule = {
  id: "A2",
  name: "opened",
  summary: "Undeclared properties are allowed now.",
  mend: "let readers take them before any writer emits them",
  find(pair) {
    const change = additionalChangeOf(pair);
    return change?.kind === "opened"
      ? [{ ...change.found, message: "allows undeclared properties now" }]
      : [];
  },
};
