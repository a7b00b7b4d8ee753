import { isJsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import type { SchemaLocation } from "../schema/schema-set.js";
import { isSame, type Schema, subschemas } from "../schema/subschemas.js";
import { keysOf } from "../solver/keywords/objects.js";
import { all, type Formula, isType, type Names } from "../solver/logic/formula.js";
import type { SchemaClasses } from "../solver/schema-classes.js";
import { isAnything } from "../solver/to-formula.js";
import { matchMembers } from "./match-members.js";
import { declaredProperties, membersOf, schemasFor, unionOf } from "./members.js";
import {
  type Occurrence,
  Place,
  type PlacePair,
  PlaceVisit,
  type Role,
  type Step,
  schemaAt,
} from "./place.js";

/** Limit on nesting: places further inside are only part of the verdict on the whole. */
const MAX_DEPTH = 200;

/** Limit on the levels of all types together. */
const MAX_LEVELS = 20_000;

/** A place inside of another one. */
interface Child {
  readonly step: Step;
  readonly pair: PlacePair;
}

/** The matched places of two versions. Each is looked at once, however many types contain it. */
export class PlaceGraph<Found> {
  readonly #classes: SchemaClasses;
  readonly #find: (pair: PlacePair) => Found | undefined;
  readonly #pairs = new Map<string, PlacePair>();

  /** `find`: what changed at a place; undefined if nothing did. */
  constructor(classes: SchemaClasses, find: (pair: PlacePair) => Found | undefined) {
    this.#classes = classes;
    this.#find = memoize(find);
  }

  /** The outermost pair of places: the roots of two versions. */
  rootOf(older: SchemaLocation, newer: SchemaLocation): PlacePair {
    return this.#pairOf(new Place([older], older), new Place([newer], newer), "root");
  }

  /** The root itself, if something changed there. */
  at(root: PlacePair): (readonly [PlaceVisit, Found])[] {
    const found = this.#find(root);
    return found === undefined ? [] : [[new PlaceVisit(root), found]];
  }

  /**
   * Every place at which something changed, from the outside in, wherever it is. The more `types` a document has, the less
   * deep each of them is looked into: what is nested in one of thousands is mostly a type of its own.
   */
  *walk(root: PlacePair, types = 1): Generator<readonly [PlaceVisit, Found]> {
    const maxDepth = Math.min(MAX_DEPTH, Math.ceil(MAX_LEVELS / types));
    const seen = new Set([root.id]);
    const waiting = isUnchanged(root) ? [] : [new PlaceVisit(root)];
    for (const visit of waiting) {
      const found = this.#find(visit.pair);
      if (found !== undefined) yield [visit, found];
      if (visit.isRepeated || visit.depth >= maxDepth) continue;
      for (const { step, pair } of this.#childrenOf(visit.pair)) {
        const isRepeated = seen.has(pair.id);
        if (isRepeated && this.#find(pair) === undefined) continue;
        seen.add(pair.id);
        waiting.push(new PlaceVisit(pair, { step, around: visit, isRepeated }));
      }
    }
  }

  /** Those in or below which something changed. */
  readonly #childrenOf = memoize((pair: PlacePair): readonly Child[] =>
    STEPS.flatMap((steps) => [...steps(pair)])
      .map((step) => {
        const [before, after] = [pair.old.anchor, pair.new.anchor];
        const places = [new Place(step.old, before), new Place(step.new, after)] as const;
        return { step, pair: this.#pairOf(...places, roleOf(step, pair)) };
      })
      .filter((child) => !isUnchanged(child.pair)),
  );

  #pairOf(older: Place, newer: Place, role: Role): PlacePair {
    const id = `${older.id} | ${newer.id}`;
    const key = `${role} ${id}`;
    const pair = this.#pairs.get(key) ?? {
      ...{ id, old: older, new: newer, role },
      classes: this.#classes,
    };
    this.#pairs.set(key, pair);
    return pair;
  }
}

/** A constant at a place of such a name is the version of the format, which every breaking change replaces. */
const VERSION_NAME = /^([a-z]+_)?version$/;

function roleOf({ token }: Step, { role }: PlacePair): Role {
  if (token === undefined) return role;
  return VERSION_NAME.test(token) ? "version" : undefined;
}

function* properties(pair: PlacePair): Generator<Step> {
  const declared = declaredProperties(pair.new);
  for (const name of declaredProperties(pair.old).keys()) {
    if (!declared.has(name)) continue;
    const [olds, news] = [schemasFor(pair.old, name), schemasFor(pair.new, name)];
    yield { token: name, old: olds, new: news, embed: someProperty({ only: [name] }) };
  }
}

function* patterns(pair: PlacePair): Generator<Step> {
  const news = mapOf(pair.new, "patternProperties");
  for (const [pattern, older] of mapOf(pair.old, "patternProperties")) {
    const newer = news.get(pattern);
    if (newer === undefined) continue;
    yield { token: "*", old: older, new: newer, embed: someProperty({ matching: [pattern] }) };
  }
}

/** Undeclared properties, if both versions have a schema for them. */
function* others(pair: PlacePair): Generator<Step> {
  const { old: olds, new: news } = single(pair, "additionalProperties");
  if (olds === undefined || news === undefined) return;
  if (![olds, news].every(({ value }) => isJsonObject(value) && !isAnything(value))) return;
  const places = [pair.old, pair.new];
  const names: Names = {
    except: places.flatMap((place) => [...declaredProperties(place).keys()]),
    notMatching: places.flatMap((place) => [...mapOf(place, "patternProperties").keys()]),
  };
  yield { token: "*", old: [schemaAt(olds)], new: [schemaAt(news)], embed: someProperty(names) };
}

function* prefixItems(pair: PlacePair): Generator<Step> {
  const { old: older, new: newer } = single(pair, "prefixItems");
  if (older === undefined || newer === undefined) return;
  for (let index = 0; index < Math.min(lengthOf(older), lengthOf(newer)); index += 1) {
    yield {
      token: String(index),
      old: [schemaAt(older, index)],
      new: [schemaAt(newer, index)],
      embed: (_, is) =>
        all(
          isType("array"),
          { kind: "item-count", min: index + 1, max: Number.POSITIVE_INFINITY },
          { kind: "each-item", from: index, to: index + 1, is },
        ),
    };
  }
}

/** Items after those of `prefixItems`. */
function* items(pair: PlacePair): Generator<Step> {
  const { old: older, new: newer } = single(pair, "items");
  if (older === undefined || newer === undefined) return;
  const prefix = single(pair, "prefixItems");
  const from = Math.max(lengthOf(prefix.old), lengthOf(prefix.new));
  yield {
    token: "*",
    old: [schemaAt(older)],
    new: [schemaAt(newer)],
    embed: (_, is) => all(isType("array"), { kind: "some-item", from, is }),
  };
}

/** Matched members of `anyOf` and `oneOf`; of either, if each version has one of them. */
function* members(pair: PlacePair): Generator<Step> {
  for (const [older, newer] of matchUnions(pair)) {
    for (const [oldMember, newMember] of matchMembers(
      membersOf(older),
      membersOf(newer),
      pair.classes,
    ).pairs) {
      const [olds, news] = [schemaAt(older, oldMember), schemaAt(newer, newMember)];
      yield {
        old: [olds],
        new: [news],
        isConditional: true,
        embed: (direction, formula) => all(holds(direction === "backward" ? olds : news), formula),
      };
    }
  }
}

function matchUnions(pair: PlacePair): (readonly [Occurrence, Occurrence])[] {
  const [older, newer] = [unionOf(pair.old), unionOf(pair.new)];
  if (older !== undefined && newer !== undefined) return [[older, newer]];
  return ["anyOf", "oneOf"].flatMap((keyword) => {
    const { old: before, new: after } = single(pair, keyword);
    return before === undefined || after === undefined ? [] : [[before, after] as const];
  });
}

/** `then` and `else`, if both versions have the same `if`. */
function* branches({ old: before, new: after, classes }: PlacePair): Generator<Step> {
  const [older, newer] = [before.occurrences("if"), after.occurrences("if")];
  const [one, other] = [older[0], newer[0]];
  if (one === undefined || other === undefined || older.length + newer.length > 2) return;
  if (classes.of(schemaAt(one)) !== classes.of(schemaAt(other))) return;
  for (const keyword of ["then", "else"]) {
    const [olds, news] = [
      { ...one, keyword },
      { ...other, keyword },
    ];
    if (olds.location.schema[keyword] === undefined) continue;
    if (news.location.schema[keyword] === undefined) continue;
    const condition = { ...holds(schemaAt(one)), holds: keyword === "then" };
    yield {
      old: [schemaAt(olds)],
      new: [schemaAt(news)],
      embed: (_, formula) => all(condition, formula),
    };
  }
}

function* dependents(pair: PlacePair): Generator<Step> {
  const news = mapOf(pair.new, "dependentSchemas");
  for (const [name, older] of mapOf(pair.old, "dependentSchemas")) {
    const newer = news.get(name);
    if (newer === undefined) continue;
    const condition: Formula = all(isType("object"), { kind: "required", name });
    yield { old: older, new: newer, embed: (_, formula) => all(condition, formula) };
  }
}

/** What leads from a place to those inside. */
const STEPS: readonly ((pair: PlacePair) => Iterable<Step>)[] = [
  ...[properties, patterns, others, prefixItems, items],
  ...[members, branches, dependents],
];

function holds(location: SchemaLocation) {
  return { kind: "schema", location, holds: true } as const;
}

function someProperty(names: Names): Step["embed"] {
  return (_, is) => all(isType("object"), { kind: "some-property", names, is });
}

/** The only occurrence of a keyword in each version; undefined if there is none, or several. */
function single(pair: PlacePair, keyword: string) {
  const [older, newer] = [pair.old.occurrences(keyword), pair.new.occurrences(keyword)];
  return {
    old: older.length === 1 ? older[0] : undefined,
    new: newer.length === 1 ? newer[0] : undefined,
  };
}

function lengthOf(occurrence: Occurrence | undefined): number {
  return Array.isArray(occurrence?.value) ? occurrence.value.length : 0;
}

/** The schemas of a keyword that maps names to schemas. */
function mapOf(place: Place, keyword: string): ReadonlyMap<string, readonly SchemaLocation[]> {
  const named = new Map<string, SchemaLocation[]>();
  for (const occurrence of place.occurrences(keyword)) {
    if (!isJsonObject(occurrence.value)) continue;
    for (const name of keysOf(occurrence.value)) {
      named.set(name, [...(named.get(name) ?? []), schemaAt(occurrence, name)]);
    }
  }
  return named;
}

/**
 * Whether a place and everything below it is literally equal in both versions. False if schemas below have
 * references, whose targets may differ.
 */
const isUnchanged = memoize(({ old: older, new: newer }: PlacePair): boolean => {
  if (older.schemas.length !== newer.schemas.length) return false;
  if ((older.never === undefined) !== (newer.never === undefined)) return false;
  return older.schemas.every(({ schema }, index) => {
    const other = newer.schemas[index]?.schema;
    return other !== undefined && isSame(schema, other) && !refersBelow(schema);
  });
});

function refersBelow(schema: Schema): boolean {
  for (const [, child] of subschemas(schema)) {
    if (typeof child === "boolean") continue;
    if (child.$ref !== undefined || refersBelow(child)) return true;
  }
  return false;
}
