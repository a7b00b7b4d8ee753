import { unionChanges } from "./parts/unions.js";
import type { Rule } from "./rule.js";

export const oneOfChanged: Rule = {
  id: "X2",
  name: "one-of-changed",
  summary: "An exclusive union has other members.",
  mend: "keep the member; readers have to know a new one before any writer uses it",
  find(pair) {
    return unionChanges(pair, "oneOf");
  },
};
