import canonicalize from "canonicalize";
import { isJsonObject } from "../../../src/json/value.js";
import { keysOf } from "../satisfiability/keywords/properties.js";
import { childOf, type SchemaLocation } from "../schema-set.js";
import { type ObjectLocation, type Occurrence, type Place, schemaAt, toPointer } from "./place.js";

type Declared = ReadonlyMap<string, readonly SchemaLocation[]>;

/** Names of the properties that a place declares, each with its schemas. */
export function declaredProperties(place: Place): Declared {
  const known = declaredBy.get(place) ?? findDeclared(place);
  declaredBy.set(place, known);
  return known;
}

const declaredBy = new WeakMap<Place, Declared>();

function findDeclared(place: Place): Declared {
  const declared = new Map<string, SchemaLocation[]>();
  for (const location of place.schemas) {
    for (const name of keysOf(location.schema.properties)) {
      const schema = childOf(location, toPointer("properties", name));
      declared.set(name, [...(declared.get(name) ?? []), schema]);
    }
  }
  return declared;
}

/** The properties that can have one value only, with its text. */
export function constantProperties(place: Place): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const [name, schemas] of declaredProperties(place)) {
    for (const { schema } of schemas) {
      if (!isJsonObject(schema) || !Object.hasOwn(schema, "const")) continue;
      constants.set(name, canonicalize(schema.const) ?? "");
    }
  }
  return constants;
}

/** Names that a place requires, each with the place of its first mention. */
export function requiredNames(place: Place): ReadonlyMap<string, Mention> {
  const required = new Map<string, Mention>();
  for (const occurrence of place.occurrences("required")) {
    if (!Array.isArray(occurrence.value)) continue;
    for (const [index, name] of occurrence.value.entries()) {
      if (typeof name === "string" && !required.has(name))
        required.set(name, { occurrence, index });
    }
  }
  return required;
}

/** A member of a list that a keyword has. */
export interface Mention {
  readonly occurrence: Occurrence;
  readonly index: number;
}

/** Every schema that a property of this name has to satisfy. */
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
    .filter((pattern) => new RegExp(pattern, "u").test(name))
    .map((pattern) => toPointer("patternProperties", pattern));
  const pointers = [...declared, ...matching];
  if (pointers.length === 0 && additionalProperties !== undefined)
    pointers.push("/additionalProperties");
  return pointers.map((pointer) => childOf(location, pointer));
}
