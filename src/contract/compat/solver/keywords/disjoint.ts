import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { memoize } from "../../../../base/memoize.js";
import { exactMemberText } from "../../schema/exact-numbers.js";
import { childOf, type SchemaLocation } from "../../schema/schema-set.js";
import type { KeywordContext } from "./keyword.js";

/**
 * Whether no value is valid under two members of a union, because each member allows other constants, or requires a
 * property with other constants. False if that is not obvious.
 */
export function areDisjoint({ schema, location }: KeywordContext, keyword: string): boolean {
  const list: unknown = schema[keyword];
  if (!Array.isArray(list) || list.length < 2) return false;
  const members = list.map((_, index) => childOf(location, `/${keyword}/${index}`));
  if (areDifferent(members.map((each) => constantsOf(schemasOf(each))))) return true;
  const [first, ...others] = members.map(allTagsOf);
  return [...(first ?? [])].some(([name, texts]) =>
    areDifferent([texts, ...others.map((tags) => tags.get(name))]),
  );
}

/** Limit on the references that are followed. */
const MAX_REFERENCES = 5;

/** The schema and the targets of its reference: a valid value is valid under all of them. */
function schemasOf(location: SchemaLocation): readonly JsonObject[] {
  const schemas: JsonObject[] = [];
  let at = location;
  for (let followed = 0; followed <= MAX_REFERENCES; followed += 1) {
    if (!isJsonObject(at.schema)) break;
    schemas.push(at.schema);
    const { $ref: reference } = at.schema;
    if (typeof reference !== "string") break;
    at = at.set.resolve(at, reference);
  }
  return schemas;
}

/** The texts of the values that some schemas allow; undefined if they are not listed. */
function constantsOf(schemas: readonly JsonObject[]): readonly string[] | undefined {
  for (const schema of schemas) {
    if (Object.hasOwn(schema, "const")) return [exactMemberText(schema, "const")];
    const { enum: values } = schema;
    if (Array.isArray(values)) return values.map((_, index) => exactMemberText(values, index));
  }
  return undefined;
}

function requiredBy(schemas: readonly JsonObject[]): string[] {
  return schemas
    .flatMap(({ required }): unknown[] => (Array.isArray(required) ? required : []))
    .filter((name) => typeof name === "string");
}

/** The texts that a required property may have; undefined unless only objects are valid. */
function tagsOf(schemas: readonly JsonObject[], name: string): readonly string[] | undefined {
  if (!schemas.some(({ type }) => type === "object")) return undefined;
  if (!schemas.some(({ required }) => Array.isArray(required) && required.includes(name))) {
    return undefined;
  }
  const tags = schemas.flatMap(({ properties }) =>
    isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  return constantsOf(tags.filter(isJsonObject));
}

/** The texts that properties have in every value that is valid under a schema, by name. */
export type Tags = ReadonlyMap<string, readonly string[]>;

export const allTagsOf = memoize((location: SchemaLocation): Tags => {
  const schemas = schemasOf(location);
  const tags = requiredBy(schemas).map((name) => [name, tagsOf(schemas, name)] as const);
  return new Map(tags.flatMap(([name, texts]) => (texts === undefined ? [] : [[name, texts]])));
});

/** Whether no value has the tags of both. */
export function exclude(one: Tags, other: Tags): boolean {
  return [...one].some(([name, texts]) => {
    const others = other.get(name);
    return others !== undefined && areDifferent([texts, others]);
  });
}

function areDifferent(members: readonly (readonly string[] | undefined)[]): boolean {
  const seen = new Set<string>();
  for (const texts of members) {
    if (texts === undefined) return false;
    const own = new Set(texts);
    if ([...own].some((text) => seen.has(text))) return false;
    for (const text of own) seen.add(text);
  }
  return true;
}
