import { resolvePointer } from "../../../src/base/json/pointer.js";
import type { KnownDifference } from "./known-difference.js";

export const trailingNewline: KnownDifference = {
  id: "trailing-newline",
  adapter: "jsonschema",
  reason:
    "A string that ends in a newline, with a pattern that ends in $: the package passes the pattern to " +
    "Python's re, whose $ also matches before a final newline. JSON Schema (Core, section 6.4) requires " +
    "ECMA-262, whose $ does not.",
  explains({ fault, record }) {
    const value = resolvePointer(record, fault.pointer);
    return fault.keyword === "pattern" && typeof value === "string" && value.endsWith("\n");
  },
};
