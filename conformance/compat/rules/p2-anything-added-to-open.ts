import { isAnything } from "../places/is-anything.js";
import { addedProperties } from "./parts/properties.js";
import type { Rule } from "./rule.js";

export const anythingAddedToOpen: Rule = {
  id: "P2",
  name: "anything-added-to-open",
  summary: "A property that may be anything was added where undeclared ones were allowed.",
  mend: "nothing to mend",
  find(pair) {
    return addedProperties(pair)
      .filter(({ content, isRequirementChanged }) => content === "open" && !isRequirementChanged)
      .filter(({ schemas }) => schemas.every(({ schema }) => isAnything(schema)))
      .map(({ name, at }) => ({
        new: at,
        property: name,
        message: "is declared now, and may be anything as before",
      }));
  },
};
