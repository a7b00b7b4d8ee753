import { toPointerToken } from "../../../../base/json/pointer.js";
import { childOf, HOLE, type SchemaLocation } from "../../schema/schema-set.js";
import { type Formula, isType, type Literal } from "../logic/formula.js";
import { has, keysOf, lacksOrNoObject } from "./objects.js";

/** Limit on the cases of a schema. */
const MAX_CASES = 64;

/** Properties and items that keywords evaluate. */
export interface Evaluated {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  readonly allProperties: boolean;
  /** Items before this index. */
  readonly items: number;
  readonly allItems: boolean;
  /** Schemas of `contains`: items that are valid under one of them. */
  readonly contained: readonly SchemaLocation[];
}

/** One way in which a schema can be valid, with what its keywords then evaluate. */
export interface EvaluationCase {
  /** The conditions of this case; cases exclude each other. */
  readonly when: readonly Formula[];
  readonly what: Evaluated;
}

const NOTHING: Evaluated = {
  names: [],
  patterns: [],
  allProperties: false,
  items: 0,
  allItems: false,
  contained: [],
};
const NO_CASE: EvaluationCase = { when: [], what: NOTHING };

/**
 * The ways in which a schema can be valid, by what it then evaluates, apart from the keyword `own`. Undefined if
 * there are too many.
 */
export function evaluationCases(
  location: SchemaLocation,
  own: "unevaluatedProperties" | "unevaluatedItems",
): readonly EvaluationCase[] | undefined {
  return casesOf(location, own, []);
}

function casesOf(
  location: SchemaLocation,
  own: string | undefined,
  open: readonly string[],
): readonly EvaluationCase[] | undefined {
  const { schema, set } = location;
  if (typeof schema === "boolean") return [NO_CASE];
  const id = `${location.uri}#${location.pointer}`;
  if (open.includes(id) || Object.hasOwn(schema, HOLE)) return undefined;
  const at = (pointer: string): SchemaLocation => childOf(location, pointer);
  const below: Below = (child) => child && casesOf(child, undefined, [...open, id]);
  const members = (keyword: string): SchemaLocation[] => {
    const list: unknown = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => at(`/${keyword}/${index}`)) : [];
  };
  const { $ref, $dynamicRef } = schema;
  const groups = [
    [caseOfItself(schema, own, at)],
    ...(typeof $ref === "string" ? [below(set.resolve(location, $ref))] : []),
    ...(typeof $dynamicRef === "string" ? [below(set.resolveDynamic(location, $dynamicRef))] : []),
    ...members("allOf").map(below),
    ...[...members("anyOf"), ...members("oneOf")].map((child) => optionalCases(child, below)),
    ...(schema.if === undefined ? [] : [conditionalCases(schema, at, below)]),
    ...keysOf(schema.dependentSchemas).map((name) => dependentCases(name, at, below)),
  ];
  let cases: readonly EvaluationCase[] = [NO_CASE];
  for (const group of groups) {
    if (group === undefined || cases.length * group.length > MAX_CASES) return undefined;
    cases = cases.flatMap((one) => group.map((other) => joinCases(one, other)));
  }
  return cases;
}

type Below = (child: SchemaLocation | undefined) => readonly EvaluationCase[] | undefined;

function caseOfItself(
  schema: Readonly<Record<string, unknown>>,
  own: string | undefined,
  at: (pointer: string) => SchemaLocation,
): EvaluationCase {
  const has = (keyword: string): boolean => keyword !== own && schema[keyword] !== undefined;
  const what: Evaluated = {
    names: keysOf(schema.properties),
    patterns: keysOf(schema.patternProperties),
    allProperties: has("additionalProperties") || has("unevaluatedProperties"),
    items: Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0,
    allItems: has("items") || has("unevaluatedItems"),
    contained: has("contains") ? [at("/contains")] : [],
  };
  return { when: [], what };
}

function optionalCases(child: SchemaLocation, below: Below): readonly EvaluationCase[] | undefined {
  return below(child)
    ?.map((each) => ({ ...each, when: [...each.when, literal(child, true)] }))
    .concat([{ ...NO_CASE, when: [literal(child, false)] }]);
}

function conditionalCases(
  schema: Readonly<Record<string, unknown>>,
  at: (pointer: string) => SchemaLocation,
  below: Below,
): readonly EvaluationCase[] | undefined {
  const condition = at("/if");
  const ifCases = below(condition);
  const thenCases = schema.then === undefined ? [NO_CASE] : below(at("/then"));
  const elseCases = schema.else === undefined ? [NO_CASE] : below(at("/else"));
  if (ifCases === undefined || thenCases === undefined || elseCases === undefined) return undefined;
  return [
    ...ifCases
      .flatMap((one) => thenCases.map((other) => joinCases(one, other)))
      .map((each) => ({ ...each, when: [...each.when, literal(condition, true)] })),
    ...elseCases.map(({ when, what }) => ({ when: [...when, literal(condition, false)], what })),
  ];
}

function dependentCases(
  name: string,
  at: (pointer: string) => SchemaLocation,
  below: Below,
): readonly EvaluationCase[] | undefined {
  return below(at(`/dependentSchemas/${toPointerToken(name)}`))
    ?.map((each) => ({ ...each, when: [...each.when, isType("object"), has(name)] }))
    .concat([{ ...NO_CASE, when: [lacksOrNoObject(name)] }]);
}

function literal(location: SchemaLocation, holds: boolean): Literal {
  return { kind: "schema", location, holds };
}

function joinCases(one: EvaluationCase, other: EvaluationCase): EvaluationCase {
  return { when: [...one.when, ...other.when], what: join(one.what, other.what) };
}

function join(one: Evaluated, other: Evaluated): Evaluated {
  return {
    names: [...new Set([...one.names, ...other.names])],
    patterns: [...new Set([...one.patterns, ...other.patterns])],
    allProperties: one.allProperties || other.allProperties,
    items: Math.max(one.items, other.items),
    allItems: one.allItems || other.allItems,
    contained: [...one.contained, ...other.contained],
  };
}
