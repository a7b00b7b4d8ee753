import { isJsonObject } from "../../src/records/json-object.js";
import { childOf, type SchemaLocation } from "./schema-set.js";

/** A record type of a schema in both versions; undefined where it is not there. */
export interface EntryPair {
  /** Name of its definition; "" for a schema that is one record type itself. */
  readonly name: string;
  readonly old: SchemaLocation | undefined;
  readonly new: SchemaLocation | undefined;
}

const DEFINITION = "#/$defs/";

/**
 * The record types of two versions, by their names. A schema whose root is an `anyOf` of references to its own
 * `$defs` publishes those; any other is one type.
 */
export function pairEntryPoints(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
): readonly EntryPair[] {
  const [olds, news] = [definitionsOf(oldRoot), definitionsOf(newRoot)];
  if (olds === undefined || news === undefined) return [{ name: "", old: oldRoot, new: newRoot }];
  const names = new Set([...olds.keys(), ...news.keys()]);
  return [...names].map((name) => ({ name, old: olds.get(name), new: news.get(name) }));
}

function definitionsOf(root: SchemaLocation): ReadonlyMap<string, SchemaLocation> | undefined {
  const { schema } = root;
  if (!isJsonObject(schema) || !Array.isArray(schema.anyOf)) return undefined;
  const definitions = new Map<string, SchemaLocation>();
  for (const member of schema.anyOf) {
    const reference: unknown = isJsonObject(member) ? member.$ref : undefined;
    if (typeof reference !== "string" || !reference.startsWith(DEFINITION)) return undefined;
    definitions.set(reference.slice(DEFINITION.length), childOf(root, reference.slice(1)));
  }
  return definitions;
}
