import type { KnownDifference } from "./known-difference.js";

export const emptyKey: KnownDifference = {
  id: "empty-key",
  adapter: "jsonschema-rs",
  reason:
    "A fault below a property with an empty name: RFC 6901, section 5, gives the name its own token, and " +
    "the package omits it from the reported path. The keyword is the same.",
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
