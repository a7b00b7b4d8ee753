import type { KnownDifference } from "./known-difference.js";

export const emptyKey: KnownDifference = {
  id: "empty-key",
  adapter: "jsonschema-rs",
  reason:
    "A fault below a property whose name is empty: RFC 6901, section 5, gives it a token of its own, and " +
    "the package leaves it out of the path that it tells. The keyword is the same.",
  explains: ({ fault, ours, theirs }) =>
    (ours.errors ?? []).some(
      ({ pointer, keyword }) =>
        withoutEmptyTokens(pointer) !== pointer &&
        keyword === fault.keyword &&
        [pointer, withoutEmptyTokens(pointer)].includes(fault.pointer) &&
        (theirs.errors ?? []).some(
          (other) => other.keyword === keyword && other.pointer === withoutEmptyTokens(pointer),
        ),
    ),
};

function withoutEmptyTokens(pointer: string): string {
  return pointer.replace(/\/(?=\/|$)/g, "");
}
