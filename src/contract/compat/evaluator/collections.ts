import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import { LEAVES_UNEVALUATED } from "../schema/schema-set.js";
import { matchesPattern } from "../solver/logic/patterns.js";
import { keyOfValue } from "../solver/logic/values.js";
import {
  all,
  at,
  countOf,
  isWithin,
  ofObject,
  type Rule,
  type Rules,
  type Subject,
  type Truth,
  textsOf,
} from "./subject.js";

function ofArray(test: (subject: Subject, value: readonly unknown[]) => Truth): Rule {
  return (subject) => !Array.isArray(subject.value) || test(subject, subject.value);
}

/** Holds members of a value against a schema each; they count as evaluated. */
function everyMember(
  { location, value, seen, run }: Subject,
  members: readonly (readonly [key: string, schema: unknown])[],
): Truth {
  for (const [key] of members) seen?.keys.add(key);
  let truth: Truth = true;
  for (const [key, schema] of members) {
    const each = run.evaluate(at(location, schema), Reflect.get(Object(value), key));
    if (each === false) return false;
    if (each === undefined) truth = undefined;
  }
  return truth;
}

/** The names of a value's properties that a schema does not declare. */
function undeclared({ schema, run }: Subject, value: JsonObject): string[] {
  const { properties, patternProperties } = schema;
  const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  return Object.keys(value).filter(
    (name) =>
      !(isJsonObject(properties) && Object.hasOwn(properties, name)) &&
      !patterns.some((pattern) => matchesPattern(pattern, name, run.step)),
  );
}

/** Rules for arrays and objects. */
export const collectionRules: Rules = {
  uniqueItems: ofArray(
    ({ schema }, items) =>
      schema.uniqueItems !== true || new Set(items.map(keyOfValue)).size === items.length,
  ),
  prefixItems: ofArray((subject, items) => {
    const list: unknown[] = Array.isArray(subject.schema.prefixItems)
      ? subject.schema.prefixItems
      : [];
    const members = list.slice(0, items.length).map((each, index) => [`${index}`, each] as const);
    return everyMember(subject, members);
  }),
  items: ofArray((subject, items) => {
    const { prefixItems } = subject.schema;
    const from = Array.isArray(prefixItems) ? prefixItems.length : 0;
    const indices = Array.from(items.keys()).slice(from);
    return everyMember(
      subject,
      indices.map((index) => [`${index}`, subject.schema.items]),
    );
  }),
  contains: ofArray(({ schema, location, seen, run }, items) => {
    const child = at(location, schema.contains);
    const truths = items.map((item) => run.evaluate(child, item));
    const isSilent = schema[LEAVES_UNEVALUATED] === true;
    for (const [index, truth] of isSilent ? [] : truths.entries()) {
      if (truth === true) seen?.keys.add(`${index}`);
      else if (truth === undefined && seen !== undefined) seen.isUnsure = true;
    }
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    return isWithin(countOf(truths), Number(minContains), Number(maxContains));
  }),
  required: ofObject(({ schema }, value) =>
    textsOf(schema.required).every((name) => Object.hasOwn(value, name)),
  ),
  properties: ofObject((subject, value) => {
    const { properties } = subject.schema;
    if (!isJsonObject(properties)) return true;
    const names = Object.keys(value).filter((name) => Object.hasOwn(properties, name));
    return everyMember(
      subject,
      names.map((name) => [name, properties[name]]),
    );
  }),
  patternProperties: ofObject((subject, value) => {
    const patterns = Object.entries(Object(subject.schema.patternProperties));
    const names = Object.keys(value);
    return everyMember(
      subject,
      patterns.flatMap(([pattern, schema]) =>
        names
          .filter((name) => matchesPattern(pattern, name, subject.run.step))
          .map((name) => [name, schema] as const),
      ),
    );
  }),
  additionalProperties: ofObject((subject, value) =>
    everyMember(
      subject,
      undeclared(subject, value).map((name) => [name, subject.schema.additionalProperties]),
    ),
  ),
  propertyNames: ofObject(({ schema, location, run }, value) => {
    const child = at(location, schema.propertyNames);
    return all(Object.keys(value).map((name) => run.evaluate(child, name)));
  }),
  dependentRequired: ofObject(({ schema }, value) =>
    Object.entries(Object(schema.dependentRequired)).every(
      ([name, needs]) =>
        !Object.hasOwn(value, name) || textsOf(needs).every((each) => Object.hasOwn(value, each)),
    ),
  ),
};
