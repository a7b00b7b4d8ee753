import { isAnnotation } from "../../../src/schemas/keywords.js";
import { maxItems, maxLength, minItems, minLength } from "./lengths.js";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from "./limits.js";
import { additionalProperties, items, properties, ref, required } from "./objects.js";
import type { Operator } from "./operator.js";
import { type } from "./type.js";
import { constant, enumeration, format, pattern } from "./values.js";

/** Every mutation operator, in the order in which the report lists their keywords. */
export const operators: readonly Operator[] = [
  ...[ref, type, enumeration, constant],
  ...[required, properties, additionalProperties],
  ...[items, minItems, maxItems, minLength, maxLength, pattern, format],
  ...[minimum, maximum, exclusiveMinimum, exclusiveMaximum],
];

/**
 * Whether mutants are made of the keyword, or none can be: annotations change no verdict, and `allOf` says
 * nothing but what its members say, which are mutated one by one.
 */
export function isCovered(keyword: string): boolean {
  return (
    isAnnotation(keyword) ||
    keyword === "allOf" ||
    operators.some((operator) => operator.keyword === keyword)
  );
}
