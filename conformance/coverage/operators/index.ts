import { isAnnotation } from "../../../src/contract/schemas/keywords.js";
import { maxItems, maxLength, minItems, minLength } from "./lengths.js";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from "./limits.js";
import { additionalProperties, items, properties, ref, required } from "./objects.js";
import type { Operator } from "./operator.js";
import { type } from "./type.js";
import {
  anyOf,
  condition,
  contains,
  dependentRequired,
  dependentSchemas,
  maxContains,
  maxProperties,
  minContains,
  minProperties,
  multipleOf,
  not,
  oneOf,
  patternProperties,
  prefixItems,
  propertyNames,
  uniqueItems,
} from "./unions.js";
import { constant, enumeration, format, pattern } from "./values.js";

/** Every mutation operator, in the order of the report. */
export const operators: readonly Operator[] = [
  ...[ref, type, enumeration, constant],
  ...[required, properties, additionalProperties],
  ...[items, minItems, maxItems, minLength, maxLength, pattern, format],
  ...[minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf],
  ...[anyOf, oneOf, not, condition],
  ...[patternProperties, propertyNames, minProperties, maxProperties],
  ...[dependentRequired, dependentSchemas],
  ...[prefixItems, uniqueItems, contains, minContains, maxContains],
];

/** Keywords that another operator covers: `allOf` only combines members, which are mutated one by one. */
const COVERED = ["allOf", "then", "else"];

/**
 * Whether the keyword has mutants, or can have none: annotations do not affect verdicts.
 */
export function isCovered(keyword: string): boolean {
  return (
    isAnnotation(keyword) ||
    COVERED.includes(keyword) ||
    operators.some((operator) => operator.keyword === keyword)
  );
}
