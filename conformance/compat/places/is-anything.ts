import { isAnnotation } from "../satisfiability/annotations.js";
import type { Schema } from "../subschemas.js";

/** Whether every value is valid under a schema, as its keywords tell at once. */
export function isAnything(schema: Schema): boolean {
  return typeof schema === "boolean"
    ? schema
    : Object.keys(schema).every((keyword) => isAnnotation(keyword));
}
