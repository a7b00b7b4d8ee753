import type { KnownDifference } from "./known-difference.js";
import { isUnreadable } from "./known-difference.js";

export const loneSurrogate: KnownDifference = {
  id: "lone-surrogate",
  adapter: "jsonschema-rs",
  reason:
    "An escaped half of a surrogate pair: RFC 8259, section 8.2, allows it and calls what readers do " +
    "with it unpredictable. The package holds text as UTF-8, which has no such character, and cannot " +
    "take the record; ours can, and `validate` warns of it by the rule well-formed-unicode.",
  explains: ({ record, theirs }) => isUnreadable(theirs) && /\p{Cs}/u.test(toText(record)),
};

/** All keys and texts of a JSON value. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  // A blank between them, or two halves that are apart would be a pair.
  return Object.entries(value)
    .map(([key, child]) => `${key} ${toText(child)}`)
    .join(" ");
}
