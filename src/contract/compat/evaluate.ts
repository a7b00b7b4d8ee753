import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { HOLE, isSchema, type Schema, type SchemaLocation } from "./schema/schema-set.js";
import { matchesFormat } from "./solver/logic/formats.js";
import { matchesPattern } from "./solver/logic/patterns.js";
import { GivenUp } from "./solver/logic/solution.js";
import { isEqual, isMultiple, keyOfValue, typeOf, valueSetOf } from "./solver/logic/values.js";

/** Undefined: it depends on a part of the schema that cannot be read, or takes too long. */
type Truth = boolean | undefined;

/** Limit on the schemas that one value is held against. */
const MAX_STEPS = 200_000;

/**
 * Whether a value is valid under a schema, exactly as draft 2020-12 says: the second opinion on what the solver finds.
 * Undefined if that depends on a hole of the schema, if the schema recurses without end, or if it takes too long.
 */
export function isValid(location: SchemaLocation, value: unknown): boolean | undefined {
  return orUndefined(() => new Evaluation().evaluate(location, value));
}

/** The properties or items of a value that violate `keyword` of a schema; undefined as for `isValid`. */
export function findUnevaluated(
  location: SchemaLocation,
  value: unknown,
  keyword: "unevaluatedProperties" | "unevaluatedItems",
): readonly string[] | undefined {
  return orUndefined(() => new Evaluation().findUnevaluated(location, value, keyword));
}

function orUndefined<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError || error instanceof GivenUp) return undefined;
    throw error;
  }
}

/** The properties and items of one value that schemas evaluated (draft 2020-12, section 11). */
class Evaluated {
  readonly keys = new Set<string>();
  /** Whether there may be others: a schema with a hole may be valid. */
  isUnsure = false;

  add({ keys, isUnsure }: Evaluated): void {
    for (const key of keys) this.keys.add(key);
    this.isUnsure ||= isUnsure;
  }
}

/** One schema, and the value that is held against it. */
interface Subject {
  readonly schema: JsonObject;
  readonly location: SchemaLocation;
  readonly value: unknown;
  /** Collects what is evaluated; undefined if nobody asks. */
  readonly seen: Evaluated | undefined;
  readonly run: Evaluation;
}

type Rule = (subject: Subject) => Truth;

class Evaluation {
  #left = MAX_STEPS;

  readonly step = (cost: number): void => {
    this.#left -= cost;
    if (this.#left < 0) throw new GivenUp("the value takes too long to validate");
  };

  evaluate(location: SchemaLocation, value: unknown, seen?: Evaluated): Truth {
    const { schema } = location;
    this.step(1);
    if (typeof schema === "boolean") return schema;
    const { rules, needsSeen } = planOf(schema);
    const own = needsSeen ? new Evaluated() : seen;
    let truth: Truth = true;
    for (const rule of rules) {
      const each = rule({ schema, location, value, seen: own, run: this });
      if (each === false) return false;
      if (each === undefined) truth = undefined;
    }
    if (own !== undefined && own !== seen) seen?.add(own);
    return truth;
  }

  /** The same for a schema that applies to the whole value, which adds to what is evaluated if it is valid. */
  apply(location: SchemaLocation, { value, seen }: Subject): Truth {
    if (seen === undefined) return this.evaluate(location, value);
    const own = new Evaluated();
    const truth = this.evaluate(location, value, own);
    if (truth === true) seen.add(own);
    else if (truth === undefined) seen.isUnsure = true;
    return truth;
  }

  findUnevaluated(location: SchemaLocation, value: unknown, keyword: string): string[] | undefined {
    const { schema } = location;
    if (typeof schema === "boolean") return [];
    const subject = { schema, location, value, seen: new Evaluated(), run: this };
    for (const rule of planOf(schema).rules.filter((each) => each !== RULES[keyword]))
      rule(subject);
    const { failed, isUnsure } = unevaluated(subject, keyword);
    return isUnsure ? undefined : failed;
  }
}

/** The rules of a schema's keywords, those on what is unevaluated last. */
interface Plan {
  readonly rules: readonly Rule[];
  readonly needsSeen: boolean;
}

const plans = new WeakMap<JsonObject, Plan>();

function planOf(schema: JsonObject): Plan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const keywords = Object.keys(schema).filter((keyword) => Object.hasOwn(RULES, keyword));
  const isLast = (keyword: string): boolean => keyword.startsWith("unevaluated");
  const sorted = [...keywords.filter((each) => !isLast(each)), ...keywords.filter(isLast)];
  const rules = sorted.flatMap((keyword) => RULES[keyword] ?? []);
  const plan = { rules, needsSeen: keywords.some(isLast) };
  plans.set(schema, plan);
  return plan;
}

/** A subschema where it stands. */
function at({ set, uri, pointer }: SchemaLocation, schema: unknown): SchemaLocation {
  if (!isSchema(schema)) return { set, uri, pointer, schema: true };
  const known = typeof schema === "object" ? set.locate(schema) : undefined;
  return known ?? { set, uri, pointer, schema };
}

function ofNumber(test: (value: number, limit: number) => boolean, keyword: string): Rule {
  return ({ schema, value }) => typeof value !== "number" || test(value, Number(schema[keyword]));
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

function ofObject(test: (subject: Subject, value: JsonObject) => Truth): Rule {
  return (subject) => !isJsonObject(subject.value) || test(subject, subject.value);
}

function ofArray(test: (subject: Subject, value: readonly unknown[]) => Truth): Rule {
  return (subject) => !Array.isArray(subject.value) || test(subject, subject.value);
}

/** Holds members of a value against a schema each; they count as evaluated. */
function everyMember(
  { location, value, seen, run }: Subject,
  members: Iterable<readonly [key: string, schema: unknown]>,
): Truth {
  let truth: Truth = true;
  for (const [key, schema] of members) {
    seen?.keys.add(key);
    const each = run.evaluate(at(location, schema), Reflect.get(Object(value), key));
    if (each === false) return false;
    if (each === undefined) truth = undefined;
  }
  return truth;
}

/** The schemas of a list, which apply to the whole value. */
function inPlace({ schema, location }: Subject, keyword: string): SchemaLocation[] {
  const list: unknown = schema[keyword];
  return Array.isArray(list) ? list.map((each: unknown) => at(location, each)) : [];
}

const all = (truths: readonly Truth[]): Truth =>
  truths.includes(false) ? false : truths.includes(undefined) ? undefined : true;
const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** How many of some schemas or items are valid: surely, and perhaps. */
function countOf(truths: readonly Truth[]): readonly [surely: number, perhaps: number] {
  const surely = truths.filter((truth) => truth === true).length;
  return [surely, surely + truths.filter((truth) => truth === undefined).length];
}

function isWithin([surely, perhaps]: readonly [number, number], min: number, max: number): Truth {
  if (perhaps < min || surely > max) return false;
  return surely >= min && perhaps <= max ? true : undefined;
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

function unevaluated(
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
    const { failed, isUnsure } = unevaluated(subject, keyword);
    if (failed.length > 0 && subject.seen?.isUnsure !== true) return false;
    return isUnsure ? undefined : true;
  };
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

/** One rule per keyword that constrains values. */
const RULES: Readonly<Record<string, Rule>> = {
  [HOLE]: () => undefined,
  $ref: (subject) => {
    const { location, schema, run } = subject;
    return run.apply(location.set.resolve(location, String(schema.$ref)), subject);
  },
  $dynamicRef: (subject) => {
    const { location, schema, run } = subject;
    const target = location.set.resolveDynamic(location, String(schema.$dynamicRef));
    return target && run.apply(target, subject);
  },
  type: ({ schema, value }) => {
    const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
    return types.includes(typeOf(value)) || (types.includes("integer") && Number.isInteger(value));
  },
  enum: ({ schema, value }) => Array.isArray(schema.enum) && valueSetOf(schema.enum).has(value),
  const: ({ schema, value }) => isEqual(schema.const, value),
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
    for (const [index, truth] of truths.entries()) {
      if (truth === true) seen?.keys.add(`${index}`);
      else if (truth === undefined && seen !== undefined) seen.isUnsure = true;
    }
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    return isWithin(countOf(truths), Number(minContains), Number(maxContains));
  }),
  minProperties: ofCount(propertiesIn, isAtLeast, "minProperties"),
  maxProperties: ofCount(propertiesIn, isAtMost, "maxProperties"),
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
