import { unionChanges } from "./parts/unions.js";
import type { Rule } from "./rule.js";

export const anyOfChanged: Rule = {
  id: "X1",
  name: "any-of-changed",
  summary: "A union has other members.",
  mend: "keep the member; readers have to know a new one before any writer uses it",
  find(pair) {
    return unionChanges(pair, "anyOf");
  },
};
