import type { JsonObject } from "../../base/json/value.js";
import { IN_PLACE_APPLICATORS } from "../schemas/keywords.js";
import { textsOf } from "./evaluator/subject.js";
import { childOf, HOLE, type SchemaLocation } from "./schema/schema-set.js";
import { type Schema, subschemas } from "./schema/subschemas.js";
import { matchesPattern } from "./solver/logic/patterns.js";
import { GivenUp } from "./solver/logic/solution.js";
import { isAnything } from "./solver/to-formula.js";

/** What a schema says about a part of a value: a property, those that match a pattern, all others, or items. */
export interface Part {
  readonly location: SchemaLocation;
  readonly keyword: string;
  /** The property, or the pattern. */
  readonly name: string;
  /** The schema with the keyword. */
  readonly around: JsonObject;
}

/** What the schemas that apply in place say about the parts of a value, those of all alternatives included. */
export interface Surface {
  readonly parts: readonly Part[];
  /** Properties that are required, declared or not. */
  readonly required: readonly string[];
  /** Parts that may apply together to one part of the value: those of different lists, of which there are several. */
  readonly meetings: readonly (readonly (readonly Part[])[])[];
  /** Whether nobody knows what else they say. */
  readonly isOpen: boolean;
}

const NOTHING: Surface = { parts: [], required: [], meetings: [], isOpen: false };
const UNKNOWN: Surface = { ...NOTHING, isOpen: true };
const OPEN: ReadonlySet<Surface> = new Set([UNKNOWN]);

/** Limit on schemas that apply in place inside each other. */
const MAX_DEPTH = 200;

/** Of these, one applies: `then` and `else` exclude each other, and a record is written as one member of a union. */
const CHOICES = new Map([
  ["anyOf", "anyOf"],
  ["oneOf", "oneOf"],
  ["then", "then"],
  ["else", "then"],
]);

/** Keywords for properties that no other keyword names. */
export const OTHERS: readonly string[] = ["additionalProperties", "unevaluatedProperties"];

export const ITEMS: readonly string[] = ["contains", "items", "prefixItems", "unevaluatedItems"];

const PARTS = new Set(["properties", "patternProperties", ...OTHERS, ...ITEMS]);

const surfaces = new WeakMap<JsonObject, Surface>();

export function surfaceOf(location: SchemaLocation, depth = 0): Surface {
  const { schema } = location;
  if (typeof schema === "boolean") return NOTHING;
  if (depth > MAX_DEPTH) return UNKNOWN;
  const known = surfaces.get(schema) ?? findSurface(location, schema, depth);
  surfaces.set(schema, known);
  return known;
}

function findSurface(location: SchemaLocation, schema: JsonObject, depth: number): Surface {
  if ([HOLE, "$dynamicRef"].some((keyword) => Object.hasOwn(schema, keyword))) return UNKNOWN;
  const own: Part[] = [];
  const together: Surface[] = [];
  const choices = new Map<string, Surface[]>();
  for (const [pointer, child, keyword, name = ""] of subschemas(schema)) {
    const below = childOf(location, pointer);
    if (PARTS.has(keyword) && !isSilent(keyword, child)) {
      own.push({ location: below, keyword, name, around: schema });
    } else if (IN_PLACE_APPLICATORS.includes(keyword) && keyword !== "not") {
      const surface = surfaceOf(below, depth + 1);
      const choice = CHOICES.get(keyword);
      if (choice === undefined) together.push(surface);
      else if (choices.get(choice)?.push(surface) === undefined) choices.set(choice, [surface]);
    }
  }
  if (typeof schema.$ref === "string") {
    together.push(surfaceOf(location.set.resolve(location, schema.$ref), depth + 1));
  }
  const required = requiredBy(schema);
  const [only = NOTHING, ...more] = together;
  if (own.length + required.length + choices.size + more.length === 0) return only;
  const all = [...together, ...[...choices.values()].flat()];
  const lists = [
    ...split(own),
    ...together.map(({ parts }) => parts),
    ...[...choices.values()].map((members) => members.flatMap(({ parts }) => parts)),
  ];
  return {
    parts: [...new Set(lists.flat())],
    required: [...new Set([...required, ...all.flatMap((each) => each.required)])],
    meetings: [...all.flatMap(({ meetings }) => meetings), ...findMeetings(lists)],
    isOpen: all.some(({ isOpen }) => isOpen),
  };
}

/** The properties that a schema requires, always or beside another one: a writer must write them. */
export function requiredBy({ required, dependentRequired }: JsonObject): string[] {
  return [required, ...Object.values(Object(dependentRequired))].flatMap(textsOf);
}

/** Whether it declares nothing: for writers of declared properties, an open object is like any other. */
function isSilent(keyword: string, schema: Schema): boolean {
  if (!OTHERS.includes(keyword)) return false;
  return schema === false || (keyword === "additionalProperties" && isAnything(schema));
}

/** The parts of one schema, so that those of different lists may meet: a property and a pattern, items and `contains`. */
function split(own: readonly Part[]): Part[][] {
  const listed = (...keywords: string[]): Part[] =>
    own.filter(({ keyword }) => keywords.includes(keyword));
  const [first = [], ...patterns] = listed("patternProperties").map((part) => [part]);
  const items = listed(...ITEMS.filter((each) => each !== "contains"));
  const named = [...listed("properties"), ...items];
  return [named, listed("contains"), [...first, ...listed(...OTHERS)], ...patterns];
}

function findMeetings(lists: readonly (readonly Part[])[]): Part[][][] {
  const from = new Map<Part, number>();
  for (const [index, list] of lists.entries()) {
    for (const part of list) {
      if (typeof part.location.schema !== "boolean") from.set(part, from.get(part) ?? index);
    }
  }
  if (new Set(from.values()).size < 2) return [];
  return groupParts([...from.keys()])
    .map((group) => {
      const meeting = new Map<number | undefined, Part[]>();
      for (const part of group) {
        const list = from.get(part);
        if (meeting.get(list)?.push(part) === undefined) meeting.set(list, [part]);
      }
      return [...meeting.values()];
    })
    .filter((meeting) => meeting.length > 1);
}

/** Those for each named property, those for properties without a name here, and those for items. */
export function groupParts(parts: readonly Part[]): Part[][] {
  const named = new Map<string, Part[]>();
  const wild: Part[] = [];
  const items: Part[] = [];
  for (const part of parts) {
    if (part.keyword !== "properties") (ITEMS.includes(part.keyword) ? items : wild).push(part);
    else if (named.get(part.name)?.push(part) === undefined) named.set(part.name, [part]);
  }
  const groups = [...named].map(([name, group]) => [
    ...group,
    ...wild.filter((part) => mayApply(part, name)),
  ]);
  return [...groups, wild, items];
}

/** Whether what is said of properties without a name may apply to a property. */
function mayApply({ keyword, name: pattern, around }: Part, name: string): boolean {
  if (keyword === "patternProperties") return mayMatch(pattern, name);
  const { properties, patternProperties } = around;
  if (Object.hasOwn(Object(properties), name)) return false;
  return !Object.keys(Object(patternProperties)).some((each) => mayMatch(each, name));
}

function mayMatch(pattern: string, name: string): boolean {
  try {
    return matchesPattern(pattern, name);
  } catch (error) {
    if (error instanceof GivenUp) return true;
    throw error;
  }
}

/** Those from which no schema is reached that shares a part of a record. */
const alone = new WeakSet<Surface>();

/** What may be declared for parts of records to which several schemas apply together, by each of these schemas. */
export function findShared(root: SchemaLocation): ReadonlyMap<Schema, ReadonlySet<Surface>> {
  const shared = new Map<Schema, ReadonlySet<Surface>>();
  const share = ({ location: { schema } }: Part, surfaces: ReadonlySet<Surface>): void => {
    const known = shared.get(schema) ?? surfaces;
    const all = known === surfaces ? known : new Set([...known, ...surfaces]);
    if (typeof schema === "object") shared.set(schema, all);
  };
  const seen = new Set<Surface>();
  const waiting = [surfaceOf(root)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || alone.has(next)) continue;
    seen.add(next);
    for (const part of next.parts) {
      waiting.push(surfaceOf(part.location));
      if (next.isOpen) share(part, OPEN);
    }
    for (const meeting of next.meetings) {
      const all = new Set(meeting.flatMap(surfacesOf));
      const isShared = meeting.filter((list) => surfacesOf(list).length > 0).length > 1;
      if (!isShared || all.size < 2) continue;
      for (const part of meeting.flat()) share(part, all);
    }
  }
  if (shared.size === 0) for (const each of seen) alone.add(each);
  return shared;
}

/** What some schemas that apply together say, without those that say nothing. */
export function surfacesOf(parts: readonly Part[]): Surface[] {
  const all = new Set(parts.map(({ location }) => surfaceOf(location)));
  return [...all].filter(({ parts, isOpen }) => isOpen || parts.length > 0);
}
