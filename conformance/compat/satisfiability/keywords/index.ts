import { allOf, anyOf, conditional, not, oneOf } from "./combinations.js";
import { contains } from "./contains.js";
import {
  maxItems,
  maxLength,
  maxProperties,
  minItems,
  minLength,
  minProperties,
} from "./counts.js";
import { format } from "./format.js";
import { items } from "./items.js";
import type { Keyword } from "./keyword.js";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum, multipleOf } from "./numbers.js";
import { pattern } from "./pattern.js";
import { properties } from "./properties.js";
import { propertyNames } from "./property-names.js";
import { dynamicReference, reference } from "./references.js";
import { dependentRequired, dependentSchemas, required } from "./required.js";
import { type } from "./type.js";
import { unevaluatedItems, unevaluatedProperties } from "./unevaluated.js";
import { uniqueItems } from "./unique-items.js";
import { constant, enumeration } from "./values.js";

/** Every keyword that the solver understands. */
export const keywords: readonly Keyword[] = [
  reference,
  dynamicReference,
  type,
  enumeration,
  constant,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  pattern,
  format,
  minItems,
  maxItems,
  uniqueItems,
  items,
  contains,
  minProperties,
  maxProperties,
  required,
  properties,
  propertyNames,
  dependentRequired,
  dependentSchemas,
  allOf,
  anyOf,
  oneOf,
  not,
  conditional,
  unevaluatedProperties,
  unevaluatedItems,
];
