import { presenceChanges } from "./parts/keyword-changes.js";
import type { Rule } from "./rule.js";

export const tupleClosedOrOpened: Rule = {
  id: "I4",
  name: "tuple-closed-or-opened",
  summary: "Items beyond those of prefixItems are rejected now, or no longer.",
  mend: "leave the tuple open, or release a new version of the format",
  find(pair) {
    return presenceChanges(pair, "items").filter(
      ({ old: older, new: newer }) => (newer ?? older)?.location.schema.items === false,
    );
  },
};
