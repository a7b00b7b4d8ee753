import { ANNOTATIONS } from "../../../src/schemas/keywords.js";
import { additionalProperties } from "./additional-properties.js";
import { constant } from "./const.js";
import { enumeration } from "./enum.js";
import { exclusiveMaximum } from "./exclusive-maximum.js";
import { exclusiveMinimum } from "./exclusive-minimum.js";
import { format } from "./format.js";
import { items } from "./items.js";
import { maxItems } from "./max-items.js";
import { maxLength } from "./max-length.js";
import { maximum } from "./maximum.js";
import { minItems } from "./min-items.js";
import { minLength } from "./min-length.js";
import { minimum } from "./minimum.js";
import type { Operator } from "./operator.js";
import { pattern } from "./pattern.js";
import { properties } from "./properties.js";
import { ref } from "./ref.js";
import { required } from "./required.js";
import { type } from "./type.js";

/** Every mutation operator, in the order in which the report lists their keywords. */
export const operators: readonly Operator[] = [
  ...[ref, type, enumeration, constant],
  ...[required, properties, additionalProperties],
  ...[items, minItems, maxItems, minLength, maxLength, pattern, format],
  ...[minimum, maximum, exclusiveMinimum, exclusiveMaximum],
];

/**
 * Keywords that need no operator: annotations change no verdict, and `allOf` says nothing but what
 * its members say, which are mutated one by one.
 */
const WITHOUT_OPERATOR: ReadonlySet<string> = new Set([...ANNOTATIONS, "allOf"]);

/** Whether mutants are made of the keyword, or none can be. */
export function isCovered(keyword: string): boolean {
  return (
    WITHOUT_OPERATOR.has(keyword) || operators.some((operator) => operator.keyword === keyword)
  );
}
