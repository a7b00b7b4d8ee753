import canonicalize from "canonicalize";
import type { Type } from "./formula.js";

/** The type of a value that came out of JSON. */
export function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}

/** Whether two values are the same to JSON Schema: numbers by value, objects whatever their order. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return canonicalize(one) === canonicalize(other);
}
