import { resolvePointer } from "../../../src/json/pointer.js";
import type { KnownDifference } from "./known-difference.js";

export const trailingNewline: KnownDifference = {
  id: "trailing-newline",
  adapter: "jsonschema",
  reason:
    "A text that ends in a newline, against a pattern that ends in $: the package hands the pattern to " +
    "Python's re, whose $ also matches before a last newline. JSON Schema (Core, section 6.4) asks for " +
    "ECMA-262, whose $ does not.",
  explains({ fault, record }) {
    const value = resolvePointer(record, fault.pointer);
    return fault.keyword === "pattern" && typeof value === "string" && value.endsWith("\n");
  },
};
