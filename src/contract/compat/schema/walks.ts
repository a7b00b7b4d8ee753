import { isJsonObject } from "../../../base/json/value.js";
import { DEFINITION_KEYWORDS } from "../../schemas/keywords.js";
import { carryExactNumbers } from "./exact-numbers.js";
import { childOf, type SchemaLocation } from "./schema-set.js";
import { type Schema, subschemas } from "./subschemas.js";

/** Copies a schema without the keywords that `isDropped` names; `convert` replaces each of its direct subschemas. */
export function convertSubschemas(
  location: SchemaLocation,
  isDropped: (keyword: string) => boolean,
  convert: (keyword: string, child: SchemaLocation) => Schema,
): { [keyword: string]: unknown } {
  const { schema } = location;
  const kept = Object.entries(schema).filter(([keyword]) => !isDropped(keyword));
  // `fromEntries` makes own properties, even for `__proto__`.
  const converted = Object.fromEntries(kept.map(([keyword, value]) => [keyword, copy(value)]));
  carryExactNumbers(Object(schema), converted);
  for (const [pointer, , keyword, name] of subschemas(schema)) {
    if (!Object.hasOwn(converted, keyword)) continue;
    const result = convert(keyword, childOf(location, pointer));
    if (name === undefined) converted[keyword] = result;
    else Object.assign(Object(converted[keyword]), { [name]: result });
  }
  return converted;
}

/** A shallow copy, so that members can be replaced. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return carryExactNumbers(value, [...value]);
  return isJsonObject(value) ? carryExactNumbers(value, { ...value }) : value;
}

/** The schemas that validating a value by some others may reach, these included. Booleans are left out. */
export function reachedFrom(roots: readonly SchemaLocation[]): ReadonlyMap<Schema, SchemaLocation> {
  const reached = new Map<Schema, SchemaLocation>();
  const waiting = [...roots];
  for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
    const { schema, set } = location;
    if (typeof schema === "boolean" || reached.has(schema)) continue;
    reached.set(schema, location);
    for (const [pointer, , keyword] of subschemas(schema)) {
      if (!DEFINITION_KEYWORDS.includes(keyword)) waiting.push(childOf(location, pointer));
    }
    for (const [, reference] of referencesOf(location))
      waiting.push(set.resolve(location, reference));
  }
  return reached;
}

/** Whether a schema, or one that it reaches, has a `format` that is an annotation. */
export function hasUncheckedFormat(root: SchemaLocation): boolean {
  const reached = [...reachedFrom([root]).keys()];
  return root.set.format === "annotate" && reached.some((each) => "format" in Object(each));
}

/** The references of a schema, without those below it. */
export function referencesOf({ schema }: SchemaLocation): [keyword: string, reference: string][] {
  if (typeof schema === "boolean") return [];
  return ["$ref", "$dynamicRef"].flatMap((keyword): [string, string][] => {
    const reference = schema[keyword];
    return typeof reference === "string" ? [[keyword, reference]] : [];
  });
}
