import { isJsonObject } from "../../../base/json/value.js";
import { HOLE, type SchemaLocation } from "../schema/schema-set.js";
import { isSchema, type Schema } from "../schema/subschemas.js";
import {
  all,
  at,
  countOf,
  isWithin,
  ofObject,
  opposite,
  type Rule,
  type Rules,
  type Subject,
  type Truth,
} from "./subject.js";

/** The schemas of a list, which apply to the whole value. */
function inPlace({ schema, location }: Subject, keyword: string): SchemaLocation[] {
  const list: unknown = schema[keyword];
  return Array.isArray(list) ? list.map((each: unknown) => at(location, each)) : [];
}

/** The members that a schema does not evaluate and that `keyword` rejects. */
export function findFailed(
  { schema, location, value, seen, run }: Subject,
  keyword: string,
): { readonly failed: string[]; readonly isUnsure: boolean } {
  const isConcerned = keyword === "unevaluatedItems" ? Array.isArray(value) : isJsonObject(value);
  const keys = isConcerned ? Object.keys(Object(value)) : [];
  const left = keys.filter((key) => seen?.keys.has(key) !== true);
  const child = at(location, schema[keyword]);
  const truths = left.map((key) => run.evaluate(child, Reflect.get(Object(value), key)));
  const failed = left.filter((_, index) => truths[index] === false);
  const isUnsure = truths.includes(undefined) || (failed.length > 0 && seen?.isUnsure === true);
  for (const key of keys) seen?.keys.add(key);
  return { failed, isUnsure };
}

function unevaluatedRule(keyword: string): Rule {
  return (subject) => {
    const { failed, isUnsure } = findFailed(subject, keyword);
    if (failed.length > 0 && subject.seen?.isUnsure !== true) return false;
    return isUnsure ? undefined : true;
  };
}

/** Rules that apply other schemas to the whole value, or to what they leave. */
export const applicatorRules: Rules = {
  [HOLE]: () => undefined,
  // One that is left is none that a record reaches.
  $dynamicRef: () => undefined,
  $ref: (subject) => {
    const { location, schema, run } = subject;
    return run.apply(location.set.resolve(location, String(schema.$ref)), subject);
  },
  dependentSchemas: ofObject((subject, value) =>
    all(
      Object.entries(Object(subject.schema.dependentSchemas)).map(
        ([name, schema]) =>
          !Object.hasOwn(value, name) || subject.run.apply(at(subject.location, schema), subject),
      ),
    ),
  ),
  allOf: (subject) =>
    all(inPlace(subject, "allOf").map((each) => subject.run.apply(each, subject))),
  anyOf: (subject) => {
    const truths: Truth[] = [];
    for (const each of inPlace(subject, "anyOf")) {
      truths.push(subject.run.apply(each, subject));
      if (truths.at(-1) === true && subject.seen === undefined) return true;
    }
    return isWithin(countOf(truths), 1, Number.POSITIVE_INFINITY);
  },
  oneOf: (subject) =>
    isWithin(
      countOf(inPlace(subject, "oneOf").map((each) => subject.run.apply(each, subject))),
      1,
      1,
    ),
  not: ({ schema, location, value, run }) =>
    opposite(run.evaluate(at(location, schema.not), value)),
  if: (subject) => {
    const { schema, location, run } = subject;
    const branch = (keyword: "then" | "else"): Truth => {
      const child: Schema | undefined = isSchema(schema[keyword]) ? schema[keyword] : undefined;
      return child === undefined || run.apply(at(location, child), subject);
    };
    const condition = run.apply(at(location, schema.if), subject);
    if (condition !== undefined) return branch(condition ? "then" : "else");
    const [one, other] = [branch("then"), branch("else")];
    return one === other ? one : undefined;
  },
  unevaluatedProperties: unevaluatedRule("unevaluatedProperties"),
  unevaluatedItems: unevaluatedRule("unevaluatedItems"),
};
