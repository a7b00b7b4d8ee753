import { toPointerToken } from "../../../../src/records/resolve-pointer.js";
import { childOf, type SchemaLocation } from "../../schema-set.js";
import { all, any, type Formula, isType, type Literal, NEVER } from "../formula.js";
import type { Keyword, Part } from "./keyword.js";
import { keysOf } from "./properties.js";
import { has, lacksOrNoObject } from "./required.js";

/** Ways in which a schema can be valid, as far as they differ in what is evaluated; more are too many. */
const MAX_CASES = 64;

/** What the keywords of a schema evaluate in one of these ways. */
interface Case {
  /** What is true in this case, and in no other. */
  readonly when: readonly Formula[];
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  readonly allProperties: boolean;
  /** Items before this index. */
  readonly items: number;
  readonly allItems: boolean;
  /** Items that are valid under one of these. */
  readonly contains: readonly SchemaLocation[];
}

export const unevaluatedProperties: Keyword = {
  names: ["unevaluatedProperties"],
  parts: (context) => {
    const ways = casesOf(context.location, "unevaluatedProperties", []);
    if (ways === undefined) return [tooMany("unevaluatedProperties")];
    const demands = ways.map(({ when, names, patterns, allProperties }) => ({
      when: all(...when),
      left: { except: names, notMatching: patterns },
      allProperties,
    }));
    return [
      {
        holds: any(
          ...demands.map(({ when, left, allProperties }) => {
            const is = context.at("/unevaluatedProperties", true);
            return allProperties ? when : all(when, { kind: "each-property", names: left, is });
          }),
        ),
        fails: any(
          ...demands.map(({ when, left, allProperties }) => {
            const is = context.at("/unevaluatedProperties", false);
            if (allProperties) return NEVER;
            return all(isType("object"), when, { kind: "some-property", names: left, is });
          }),
        ),
      },
    ];
  },
};

/**
 * Where `contains` has a say, Ajv takes all items for evaluated, and draft 2020-12 those alone that it finds:
 * what one of the two readings accepts may hold, and what one of them rejects may fail.
 */
export const unevaluatedItems: Keyword = {
  names: ["unevaluatedItems"],
  parts: (context) => {
    const ways = casesOf(context.location, "unevaluatedItems", []);
    if (ways === undefined) return [tooMany("unevaluatedItems")];
    const isDisputed = ways.some(({ contains }) => contains.length > 0);
    const dispute: Formula = {
      kind: "opaque",
      keyword: "unevaluatedItems",
      what: "beside contains",
      location: onlyEvaluating(context.location),
    };
    return [
      {
        holds: all(
          ...(isDisputed ? [dispute] : []),
          any(
            ...ways.map(({ when, items: from, allItems, contains }) => {
              if (allItems || contains.length > 0) return all(...when);
              const is = context.at("/unevaluatedItems", true);
              return all(...when, { kind: "each-item", from, to: Number.POSITIVE_INFINITY, is });
            }),
          ),
        ),
        fails: any(
          ...ways.map(({ when, items: from, allItems, contains }) => {
            if (allItems) return NEVER;
            const is = all(context.at("/unevaluatedItems", false), ...contains.map(literal(false)));
            return all(isType("array"), ...when, { kind: "some-item", from, is });
          }),
        ),
      },
    ];
  },
};

const EVALUATING = [
  ...["$ref", "$dynamicRef", "prefixItems", "items", "contains", "unevaluatedItems"],
  ...["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"],
];

/** The schema with no other keywords than those on which it depends what items are evaluated. */
function onlyEvaluating(location: SchemaLocation): SchemaLocation {
  const entries = Object.entries(location.schema).filter(([name]) => EVALUATING.includes(name));
  return { ...location, schema: Object.fromEntries(entries) };
}

/** Nobody knows; the same keyword elsewhere need not say the same. */
function tooMany(keyword: string): Part {
  const opaque: Formula = { kind: "opaque", keyword, what: undefined };
  return { holds: opaque, fails: opaque };
}

function literal(holds: boolean): (location: SchemaLocation) => Literal {
  return (location) => ({ kind: "schema", location, holds });
}

const NOTHING: Case = {
  when: [],
  names: [],
  patterns: [],
  allProperties: false,
  items: 0,
  allItems: false,
  contains: [],
};

/** Undefined when they are too many. `own` is the keyword that asks, which does not count itself. */
function casesOf(
  location: SchemaLocation,
  own: string | undefined,
  open: readonly string[],
): readonly Case[] | undefined {
  const { schema } = location;
  if (typeof schema === "boolean") return [NOTHING];
  const id = `${location.uri}#${location.pointer}`;
  if (open.includes(id)) return undefined;
  const at = (pointer: string): SchemaLocation => childOf(location, pointer);
  const below = (child: SchemaLocation): readonly Case[] | undefined =>
    casesOf(child, undefined, [...open, id]);
  const members = (keyword: string): SchemaLocation[] => {
    const list: unknown = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => at(`/${keyword}/${index}`)) : [];
  };
  const has = (keyword: string): boolean => schema[keyword] !== undefined;
  const itself: Case = {
    ...NOTHING,
    names: keysOf(schema.properties),
    patterns: keysOf(schema.patternProperties),
    allProperties:
      has("additionalProperties") ||
      (own !== "unevaluatedProperties" && has("unevaluatedProperties")),
    items: members("prefixItems").length,
    allItems: has("items") || (own !== "unevaluatedItems" && has("unevaluatedItems")),
    contains: has("contains") ? [at("/contains")] : [],
  };
  const optional = (child: SchemaLocation): readonly Case[] | undefined =>
    below(child)
      ?.map((each) => ({ ...each, when: [...each.when, literal(true)(child)] }))
      .concat([{ ...NOTHING, when: [literal(false)(child)] }]);
  const groups = [
    [itself],
    ...(typeof schema.$ref === "string"
      ? [below(location.set.resolve(location, schema.$ref))]
      : []),
    ...(typeof schema.$dynamicRef === "string"
      ? [dynamicCases(location.set.resolveDynamic(location, schema.$dynamicRef), below)]
      : []),
    ...members("allOf").map(below),
    ...[...members("anyOf"), ...members("oneOf")].map(optional),
    ...(has("if") ? [conditionalCases(schema, at, below)] : []),
    ...keysOf(schema.dependentSchemas).map((name) => dependentCases(name, at, below)),
  ];
  let cases: readonly Case[] = [NOTHING];
  for (const group of groups) {
    if (group === undefined || cases.length * group.length > MAX_CASES) return undefined;
    cases = cases.flatMap((one) => group.map((other) => join(one, other)));
  }
  return cases;
}

function dynamicCases(
  target: SchemaLocation | undefined,
  below: Below,
): readonly Case[] | undefined {
  return target === undefined ? undefined : below(target);
}

type Below = (child: SchemaLocation) => readonly Case[] | undefined;

function conditionalCases(
  schema: Readonly<Record<string, unknown>>,
  at: (pointer: string) => SchemaLocation,
  below: Below,
): readonly Case[] | undefined {
  const condition = at("/if");
  const ifCases = below(condition);
  const thenCases = schema.then === undefined ? [NOTHING] : below(at("/then"));
  const elseCases = schema.else === undefined ? [NOTHING] : below(at("/else"));
  if (ifCases === undefined || thenCases === undefined || elseCases === undefined) return undefined;
  return [
    ...ifCases
      .flatMap((one) => thenCases.map((other) => join(one, other)))
      .map((each) => ({ ...each, when: [...each.when, literal(true)(condition)] })),
    ...elseCases.map((each) => ({ ...each, when: [...each.when, literal(false)(condition)] })),
  ];
}

function dependentCases(
  name: string,
  at: (pointer: string) => SchemaLocation,
  below: Below,
): readonly Case[] | undefined {
  return below(at(`/dependentSchemas/${toPointerToken(name)}`))
    ?.map((each) => ({ ...each, when: [...each.when, isType("object"), has(name)] }))
    .concat([{ ...NOTHING, when: [lacksOrNoObject(name)] }]);
}

function join(one: Case, other: Case): Case {
  return {
    when: [...one.when, ...other.when],
    names: [...one.names, ...other.names],
    patterns: [...one.patterns, ...other.patterns],
    allProperties: one.allProperties || other.allProperties,
    items: Math.max(one.items, other.items),
    allItems: one.allItems || other.allItems,
    contains: [...one.contains, ...other.contains],
  };
}
