import type { KnownDifference } from "./known-difference.js";
import { isUnreadable } from "./known-difference.js";

export const loneSurrogate: KnownDifference = {
  id: "lone-surrogate",
  adapter: "jsonschema-rs",
  reason:
    "An escaped half of a surrogate pair: RFC 8259, section 8.2, allows it and calls the behaviour of " +
    "readers unpredictable. The package stores text as UTF-8, which has no such character, so it cannot " +
    "read the record. Ours can, and `validate` reports the warning well-formed-unicode.",
  explains: ({ record, theirs }) => isUnreadable(theirs) && /\p{Cs}/u.test(toText(record)),
};

/** All keys and strings in a JSON value. */
function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  // Joined by a space, because two adjacent halves would form a pair.
  return Object.entries(value)
    .map(([key, child]) => `${key} ${toText(child)}`)
    .join(" ");
}
