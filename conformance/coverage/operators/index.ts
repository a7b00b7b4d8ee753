import { isAnnotation } from "../../../src/contract/schemas/keywords.js";
import { maxItems, maxLength, minItems, minLength } from "./lengths.js";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from "./limits.js";
import { additionalProperties, items, properties, ref, required } from "./objects.js";
import type { Operator } from "./operator.js";
import { type } from "./type.js";
import { constant, enumeration, format, pattern } from "./values.js";

/** Every mutation operator, in the order of the report. */
export const operators: readonly Operator[] = [
  ...[ref, type, enumeration, constant],
  ...[required, properties, additionalProperties],
  ...[items, minItems, maxItems, minLength, maxLength, pattern, format],
  ...[minimum, maximum, exclusiveMinimum, exclusiveMaximum],
];

/**
 * Whether the keyword has mutants, or can have none: annotations do not affect verdicts, and `allOf` only
 * combines its members, which are mutated individually.
 */
export function isCovered(keyword: string): boolean {
  return (
    isAnnotation(keyword) ||
    keyword === "allOf" ||
    operators.some((operator) => operator.keyword === keyword)
  );
}
