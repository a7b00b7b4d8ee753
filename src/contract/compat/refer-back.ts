import { isDeepStrictEqual } from "node:util";
import { isCopy } from "./close-objects.js";
import type { LoadedVersion } from "./load-version.js";
import { RECURSIVE } from "./schema/dialects.js";
import { indexNamed } from "./schema/schema-files.js";
import { SchemaSet } from "./schema/schema-set.js";
import { reachedFrom } from "./schema/walks.js";
import { SchemaClasses } from "./solver/schema-classes.js";

interface Versions {
  readonly old: LoadedVersion;
  readonly new: LoadedVersion;
}

/**
 * What differs between two versions, and a schema elsewhere may refer back to: schemas by their absolute `$id`s, those that
 * were named included; dynamic anchors around it, as `#name`; the dialect in which it is read if it names none. Only if it
 * does not refer to them, what did not change in its text did not change in its meaning.
 */
export function listReferredBack({ old: older, new: newer }: Versions): string[] {
  const classes = new SchemaClasses();
  const loaded = findDifferent(
    describeAll(older.document.set, classes),
    describeAll(newer.document.set, classes),
  );
  const named = findDifferent(
    describeNamed(older, newer, classes),
    describeNamed(newer, older, classes),
  );
  const anchors = loaded.length === 0 ? [] : [older, newer].flatMap(listAnchors);
  const ids = [...loaded, ...named].filter((uri) => !/^(schema|rollout-wire):/.test(uri));
  const dialect = isDeepStrictEqual(older.dialect, newer.dialect) ? [] : ["the dialect around it"];
  return [...new Set([...ids, ...anchors, ...dialect])];
}

/** By the base of each resource: the places in it, what they accept, and their dynamic anchors. */
function describeAll(set: SchemaSet, classes: SchemaClasses): ReadonlyMap<string, string> {
  const resources = new Map<string, string>();
  for (const location of set.locations()) {
    if (isCopy(location)) continue;
    const base = set.baseOf(location);
    const anchor = JSON.stringify(Object(location.schema).$dynamicAnchor);
    const line = `${location.pointer} ${classes.of(location)} ${anchor}`;
    resources.set(base, `${resources.get(base) ?? ""}\n${line}`);
  }
  return resources;
}

function findDifferent(
  olds: ReadonlyMap<string, string>,
  news: ReadonlyMap<string, string>,
): string[] {
  return [...olds.keys(), ...news.keys()].filter((uri) => olds.get(uri) !== news.get(uri));
}

/** The schemas that were named, whether a reference reached them or not, of which the other version has not the same text. */
function describeNamed(version: LoadedVersion, other: LoadedVersion, classes: SchemaClasses) {
  const [own, others] = [version, other].map(({ source, dialect }) =>
    [...indexNamed(source.others, dialect).values()].flat(),
  );
  const known = new Set(others?.map(({ text }) => text));
  const set = new SchemaSet();
  for (const { text, schema } of own ?? []) if (!known.has(text)) set.add(schema, "schema:/");
  return describeAll(set, classes);
}

/** The dynamic anchors that records may come by. */
function listAnchors({ root }: LoadedVersion): string[] {
  return [...reachedFrom([root]).keys()].flatMap((schema) => {
    const { $dynamicAnchor: name } = Object(schema);
    if (typeof name !== "string") return [];
    return [name === RECURSIVE ? "$recursiveAnchor" : `#${name}`];
  });
}
