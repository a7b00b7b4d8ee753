import { isJsonObject } from "../../../base/json/value.js";
import { memoize } from "../../../base/memoize.js";
import { exactMemberText } from "../schema/exact-numbers.js";
import { childOf, type SchemaLocation } from "../schema/schema-set.js";
import { keysOf } from "../solver/keywords/objects.js";
import { matchesPattern } from "../solver/logic/patterns.js";
import { GivenUp } from "../solver/logic/solution.js";
import { type ObjectLocation, type Occurrence, Place, schemaAt, toPointer } from "./place.js";

/** The members of an `anyOf` or `oneOf`. */
export function membersOf(union: Occurrence): SchemaLocation[] {
  const count = Array.isArray(union.value) ? union.value.length : 0;
  return Array.from({ length: count }, (_, index) => schemaAt(union, index));
}

type Declared = ReadonlyMap<string, readonly SchemaLocation[]>;

/** The properties that a place declares, with their schemas. */
export const declaredProperties = memoize((place: Place): Declared => {
  const declared = new Map<string, SchemaLocation[]>();
  for (const location of place.schemas) {
    for (const name of keysOf(location.schema.properties)) {
      const schema = childOf(location, toPointer("properties", name));
      declared.set(name, [...(declared.get(name) ?? []), schema]);
    }
  }
  return declared;
});

/** The properties that can have one value only, by `const` or an `enum` of one, and the text of that value. */
export function constantProperties(place: Place): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const [name, schemas] of declaredProperties(place)) {
    const property = new Place(schemas, place.anchor);
    for (const { location } of property.occurrences("const")) {
      constants.set(name, exactMemberText(location.schema, "const"));
    }
    for (const { value } of property.occurrences("enum")) {
      if (Array.isArray(value) && value.length === 1)
        constants.set(name, exactMemberText(value, 0));
    }
  }
  return constants;
}

/** The only `anyOf` or `oneOf` of a place; undefined if there is none, or several. */
export function unionOf(place: Place): Occurrence | undefined {
  const [union, ...others] = [...place.occurrences("anyOf"), ...place.occurrences("oneOf")];
  return others.length === 0 ? union : undefined;
}

/** The names that a place requires, with their first mention. */
export const requiredNames = memoize((place: Place): ReadonlyMap<string, Mention> => {
  const required = new Map<string, Mention>();
  for (const occurrence of place.occurrences("required")) {
    if (!Array.isArray(occurrence.value)) continue;
    for (const [index, name] of occurrence.value.entries()) {
      if (typeof name === "string" && !required.has(name))
        required.set(name, { occurrence, index });
    }
  }
  return required;
});

/** An element of the list that a keyword has as value. */
export interface Mention {
  readonly occurrence: Occurrence;
  readonly index: number;
}

/** Every schema that a property of this name must satisfy. */
export function schemasFor(place: Place, name: string): SchemaLocation[] {
  const schemas = place.schemas.flatMap((location) => ownSchemasFor(location, name));
  return declaredProperties(place).has(name)
    ? schemas
    : [...schemas, ...place.occurrences("unevaluatedProperties").map((each) => schemaAt(each))];
}

function ownSchemasFor(location: ObjectLocation, name: string): SchemaLocation[] {
  const { properties, patternProperties, additionalProperties } = location.schema;
  const declared =
    isJsonObject(properties) && Object.hasOwn(properties, name)
      ? [toPointer("properties", name)]
      : [];
  const matching = keysOf(patternProperties)
    .filter((pattern) => mayMatch(pattern, name))
    .map((pattern) => toPointer("patternProperties", pattern));
  const pointers = [...declared, ...matching];
  if (pointers.length === 0 && additionalProperties !== undefined)
    pointers.push("/additionalProperties");
  return pointers.map((pointer) => childOf(location, pointer));
}

/** Whether a name matches a pattern. If that is unknown, the whole comparison is undecided, whatever is said here. */
function mayMatch(pattern: string, name: string): boolean {
  try {
    return matchesPattern(pattern, name);
  } catch (error) {
    if (error instanceof GivenUp) return false;
    throw error;
  }
}
