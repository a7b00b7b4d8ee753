import { isJsonObject } from "../../../base/json/value.js";
import { holdsInexact, isInexact } from "../schema/exact-numbers.js";
import { WRITTEN_WHOLE } from "../schema/schema-set.js";
import { matchesFormat } from "../solver/logic/formats.js";
import { matchesPattern } from "../solver/logic/patterns.js";
import { isEqual, isMultiple, typeOf, valueSetOf } from "../solver/logic/values.js";
import type { Rule, Rules, Truth } from "./subject.js";

/** A limit that no double holds may be on either side of the double that is closest to it. */
function ofNumber(test: (value: number, limit: number) => boolean, keyword: string): Rule {
  return ({ schema, value }) => {
    if (typeof value !== "number") return true;
    const limit = Number(schema[keyword]);
    const isDisputed = isInexact(schema, keyword) && (value === limit || keyword === "multipleOf");
    return isDisputed ? undefined : test(value, limit);
  };
}

/** Whether a value is a member; undefined if only the double closest to one that none holds is. */
function isAmong(value: unknown, members: object, keys: readonly (string | number)[]): Truth {
  const isMember = (some: readonly (string | number)[]): boolean =>
    some.some((key) => isEqual(Reflect.get(members, key), value));
  if (isMember(keys.filter((key) => !isInexact(members, key)))) return true;
  return isMember(keys) ? undefined : false;
}

/** A limit on the length of a string, the items of an array, or the properties of an object. */
function ofCount(
  countOf: (value: unknown) => number | undefined,
  test: (count: number, limit: number) => boolean,
  keyword: string,
): Rule {
  return ({ schema, value }) => {
    const count = countOf(value);
    return count === undefined || test(count, Number(schema[keyword]));
  };
}

const lengthOf = (value: unknown) => (typeof value === "string" ? [...value].length : undefined);
const itemsIn = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const propertiesIn = (value: unknown) =>
  isJsonObject(value) ? Object.keys(value).length : undefined;
const isAtLeast = (count: number, limit: number): boolean => count >= limit;
const isAtMost = (count: number, limit: number): boolean => count <= limit;

/** Rules for single values, and for how many a value has. */
export const valueRules: Rules = {
  type: ({ schema, value }) => {
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    return types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value));
  },
  // As a witness is printed.
  [WRITTEN_WHOLE]: ({ value }) =>
    typeof value !== "number" || /^-?\d+$/.test(JSON.stringify(value)),
  enum: ({ schema, value }) => {
    const list: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
    return holdsInexact(list)
      ? isAmong(value, list, [...list.keys()])
      : valueSetOf(list).has(value);
  },
  const: ({ schema, value }) => isAmong(value, schema, ["const"]),
  minimum: ofNumber((value, limit) => value >= limit, "minimum"),
  maximum: ofNumber((value, limit) => value <= limit, "maximum"),
  exclusiveMinimum: ofNumber((value, limit) => value > limit, "exclusiveMinimum"),
  exclusiveMaximum: ofNumber((value, limit) => value < limit, "exclusiveMaximum"),
  multipleOf: ofNumber(isMultiple, "multipleOf"),
  minLength: ofCount(lengthOf, isAtLeast, "minLength"),
  maxLength: ofCount(lengthOf, isAtMost, "maxLength"),
  pattern: ({ schema, value, run }) =>
    typeof value !== "string" || matchesPattern(String(schema.pattern), value, run.step),
  format: ({ schema, value, location }) =>
    location.set.format === "annotate" || matchesFormat(String(schema.format), value),
  minItems: ofCount(itemsIn, isAtLeast, "minItems"),
  maxItems: ofCount(itemsIn, isAtMost, "maxItems"),
  minProperties: ofCount(propertiesIn, isAtLeast, "minProperties"),
  maxProperties: ofCount(propertiesIn, isAtMost, "maxProperties"),
};
