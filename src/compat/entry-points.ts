import { isJsonObject } from "../json/value.js";
import { matchMembers } from "./places/members.js";
import type { Occurrence } from "./places/place.js";
import { childOf, type SchemaLocation } from "./schema/schema-set.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { isAnnotation } from "./solver/to-formula.js";

/** A record type in both versions; undefined in a version that lacks it. */
export interface EntryPair {
  /** The name of its definition, the new one if it was renamed; "" if the schema itself is one type. */
  readonly name: string;
  /** Its name in the old version. */
  readonly oldName: string;
  readonly old: SchemaLocation | undefined;
  readonly new: SchemaLocation | undefined;
}

const DEFINITION = "#/$defs/";

/**
 * Pairs the record types of two versions by name, and renamed ones as `matchMembers` does. A schema whose root is an
 * `anyOf` of references to its own `$defs` publishes these as types; any other schema is one type.
 */
export function pairEntryPoints(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
  classes = new SchemaClasses(),
): readonly EntryPair[] {
  const [older, newer] = [publishedBy(oldRoot), publishedBy(newRoot)];
  if (older === undefined || newer === undefined) {
    return [{ name: "", oldName: "", old: oldRoot, new: newRoot }];
  }
  const renamed = new Map(
    matchMembers(older.union, newer.union, classes)
      .pairs.map(([one, other]) => [older.names[one] ?? "", newer.names[other] ?? ""] as const)
      .filter(([one, other]) => !newer.names.includes(one) && !older.names.includes(other)),
  );
  const newNames = new Set([
    ...older.names.map((name) => renamed.get(name) ?? name),
    ...newer.names,
  ]);
  const oldNames = new Map([...renamed].map(([one, other]) => [other, one]));
  const find = ({ union, names }: Published, name: string): SchemaLocation | undefined =>
    names.includes(name) ? childOf(union.location, DEFINITION.slice(1) + name) : undefined;
  return [...newNames].map((name) => {
    const oldName = oldNames.get(name) ?? name;
    return { name, oldName, old: find(older, oldName), new: find(newer, name) };
  });
}

/** Whether a root constrains records beyond listing their types. */
export function constrainsAllTypes({ schema, set }: SchemaLocation): boolean {
  return Object.keys(schema).some(
    (keyword) => keyword !== "anyOf" && !isAnnotation(keyword, set.format),
  );
}

interface Published {
  readonly union: Occurrence;
  /** The definitions that its members refer to, in order. */
  readonly names: readonly string[];
}

function publishedBy(root: SchemaLocation): Published | undefined {
  const { schema } = root;
  if (!isJsonObject(schema) || !Array.isArray(schema.anyOf)) return undefined;
  const references = schema.anyOf.map((member: unknown) =>
    isJsonObject(member) ? member.$ref : undefined,
  );
  const names = references.flatMap((reference) =>
    typeof reference === "string" && reference.startsWith(DEFINITION)
      ? [reference.slice(DEFINITION.length)]
      : [],
  );
  if (names.length < references.length) return undefined;
  return { union: { location: { ...root, schema }, keyword: "anyOf", value: schema.anyOf }, names };
}
