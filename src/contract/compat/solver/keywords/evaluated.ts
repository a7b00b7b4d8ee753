import { toPointerToken } from "../../../../base/json/pointer.js";
import { childOf, type SchemaLocation } from "../../schema/schema-set.js";
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
}

/** One way in which a schema can be valid, with what its keywords then evaluate. */
export interface EvaluationCase {
  /** The conditions of this case; cases exclude each other. */
  readonly when: readonly Formula[];
  readonly surely: Evaluated;
  /** Includes what only some validators consider evaluated. */
  readonly maybe: Evaluated;
}

const NOTHING: Evaluated = {
  names: [],
  patterns: [],
  allProperties: false,
  items: 0,
  allItems: false,
};
const NO_CASE: EvaluationCase = { when: [], surely: NOTHING, maybe: NOTHING };

/**
 * The ways in which a schema can be valid, by what it then evaluates, apart from the keyword `own`. Undefined if
 * there are too many.
 *
 * Ajv 8.20 differs from draft 2020-12: beside `contains` it considers all items evaluated, or none if every item
 * would match, and it keeps what a failed `if` evaluates.
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
  if (open.includes(id)) return undefined;
  const at = (pointer: string): SchemaLocation => childOf(location, pointer);
  const below: Below = (child) => child && casesOf(child, undefined, [...open, id]);
  const members = (keyword: string): SchemaLocation[] => {
    const list: unknown = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => at(`/${keyword}/${index}`)) : [];
  };
  const { $ref, $dynamicRef } = schema;
  const groups = [
    [caseOfItself(schema, own)],
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
): EvaluationCase {
  const has = (keyword: string): boolean => keyword !== own && schema[keyword] !== undefined;
  const surely: Evaluated = {
    names: keysOf(schema.properties),
    patterns: keysOf(schema.patternProperties),
    allProperties: has("additionalProperties") || has("unevaluatedProperties"),
    items: Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0,
    allItems: has("items") || has("unevaluatedItems"),
  };
  return {
    when: [],
    surely,
    maybe: { ...surely, allItems: surely.allItems || has("contains") },
  };
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
  const kept = ifCases.map(({ maybe }) => maybe).reduce(join, NOTHING);
  return [
    ...ifCases
      .flatMap((one) => thenCases.map((other) => joinCases(one, other)))
      .map((each) => ({ ...each, when: [...each.when, literal(condition, true)] })),
    ...elseCases.map(({ when, surely, maybe }) => ({
      when: [...when, literal(condition, false)],
      surely,
      maybe: join(maybe, kept),
    })),
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
  return {
    when: [...one.when, ...other.when],
    surely: join(one.surely, other.surely),
    maybe: join(one.maybe, other.maybe),
  };
}

function join(one: Evaluated, other: Evaluated): Evaluated {
  return {
    names: [...new Set([...one.names, ...other.names])],
    patterns: [...new Set([...one.patterns, ...other.patterns])],
    allProperties: one.allProperties || other.allProperties,
    items: Math.max(one.items, other.items),
    allItems: one.allItems || other.allItems,
  };
}
