import { toPointerToken } from "../../../../base/json/pointer.js";
import { childOf, HOLE, LEAVES_UNEVALUATED, type SchemaLocation } from "../../schema/schema-set.js";
import { all, type Formula, isType } from "../logic/formula.js";
import type { Part } from "./keyword.js";
import { has, keysOf, lacksOrNoObject } from "./objects.js";

/** Properties and items that the keywords of one schema evaluate, if it is valid. */
export interface Evaluated {
  /** When it applies to the value: all of these hold. */
  readonly when: readonly Part[];
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  readonly allProperties: boolean;
  /** Items before this index. */
  readonly items: number;
  readonly allItems: boolean;
  /** The schema of `contains`: items that are valid under it. */
  readonly contained: SchemaLocation | undefined;
}

type Own = "unevaluatedProperties" | "unevaluatedItems" | undefined;

/**
 * What a schema and those that apply in place with it evaluate, apart from the keyword `own`. Undefined if a part of them
 * cannot be read, or if they refer to each other in a circle.
 */
export function findEvaluated(
  location: SchemaLocation,
  own: Own,
): readonly Evaluated[] | undefined {
  const found: Evaluated[] = [];
  return collect(location, own, { when: [], open: [], sure: new Set(), found }) ? found : undefined;
}

interface Walk {
  readonly when: readonly Part[];
  /** The schemas around, to recognise a circle. */
  readonly open: readonly string[];
  /** The schemas that apply in any case: each is looked at once, however many paths lead to it. */
  readonly sure: Set<string>;
  readonly found: Evaluated[];
}

/** False if not everything can be said. */
function collect(location: SchemaLocation, own: Own, { when, open, sure, found }: Walk): boolean {
  const { schema, set } = location;
  if (typeof schema === "boolean") return true;
  const id = `${location.uri}#${location.pointer}`;
  if (open.includes(id) || [HOLE, "$dynamicRef"].some((keyword) => Object.hasOwn(schema, keyword)))
    return false;
  if (when.length === 0 && sure.has(id)) return true;
  if (when.length === 0) sure.add(id);
  const at = (pointer: string): SchemaLocation => childOf(location, pointer);
  const isPresent = (keyword: string): boolean => keyword !== own && schema[keyword] !== undefined;
  found.push({
    when,
    names: keysOf(schema.properties),
    patterns: keysOf(schema.patternProperties),
    allProperties: isPresent("additionalProperties") || isPresent("unevaluatedProperties"),
    items: Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0,
    allItems: isPresent("items") || isPresent("unevaluatedItems"),
    contained:
      isPresent("contains") && !isPresent(LEAVES_UNEVALUATED) ? at("/contains") : undefined,
  });
  const below = (child: SchemaLocation, ...conditions: readonly Part[]): boolean =>
    collect(child, undefined, { when: [...when, ...conditions], open: [...open, id], sure, found });
  const members = (keyword: string): SchemaLocation[] => {
    const list: unknown = schema[keyword];
    return Array.isArray(list) ? list.map((_, index) => at(`/${keyword}/${index}`)) : [];
  };
  const { $ref, then, else: otherwise } = schema;
  const condition = schema.if === undefined ? undefined : at("/if");
  return [
    ...(typeof $ref === "string" ? [below(set.resolve(location, $ref))] : []),
    ...members("allOf").map((child) => below(child)),
    ...[...members("anyOf"), ...members("oneOf")].map((child) => below(child, isValid(child))),
    ...(condition === undefined ? [] : [below(condition, isValid(condition))]),
    ...(condition && then !== undefined ? [below(at("/then"), isValid(condition))] : []),
    ...(condition && otherwise !== undefined
      ? [below(at("/else"), opposite(isValid(condition)))]
      : []),
    ...keysOf(schema.dependentSchemas).map((name) =>
      below(at(`/dependentSchemas/${toPointerToken(name)}`), hasProperty(name)),
    ),
  ].every(Boolean);
}

function isValid(location: SchemaLocation): Part {
  const literal = (holds: boolean): Formula => ({ kind: "schema", location, holds });
  return { holds: literal(true), fails: literal(false) };
}

function opposite({ holds, fails }: Part): Part {
  return { holds: fails, fails: holds };
}

function hasProperty(name: string): Part {
  return { holds: all(isType("object"), has(name)), fails: lacksOrNoObject(name) };
}
