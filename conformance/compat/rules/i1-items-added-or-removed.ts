import { presenceChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const itemsAddedOrRemoved: Rule = {
  id: "I1",
  name: "items-added-or-removed",
  summary: "Items have to satisfy a schema now, or no longer.",
  mend: "keep the schema, or release a new version of the format",
  find(pair) {
    return presenceChanges(pair, "items").filter(
      ({ old: older, new: newer }) => (newer ?? older)?.location.schema.items !== false,
    );
  },
};
