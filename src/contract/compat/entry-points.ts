import { toPointerToken } from "../../base/json/pointer.js";
import { isJsonObject } from "../../base/json/value.js";
import { DEFINITION_KEYWORDS } from "../schemas/keywords.js";
import { matchMembers } from "./places/match-members.js";
import { childOf, type SchemaLocation } from "./schema/schema-set.js";
import { reachedFrom } from "./schema/walks.js";
import { keysOf } from "./solver/keywords/objects.js";
import { SchemaClasses } from "./solver/schema-classes.js";
import { isAnnotation, isPlainReference } from "./solver/to-formula.js";

/** A record type in both versions; undefined in a version that lacks it. */
export interface EntryPair {
  /** The name of its definition, the new one if it was renamed; "" if the schema itself is one type. */
  readonly name: string;
  /** Its name in the old version. */
  readonly oldName: string;
  readonly old: SchemaLocation | undefined;
  readonly new: SchemaLocation | undefined;
  /**
   * What reads its records in the version that lacks it: the document, where they may be valid as another type; or
   * nothing, if the type is found by the name of its definition.
   */
  readonly instead: SchemaLocation;
}

/**
 * Pairs the record types of two versions: by name; then by title; then as `matchMembers` does. See `typesOf` for what a type is.
 */
export function pairEntryPoints(
  oldRoot: SchemaLocation,
  newRoot: SchemaLocation,
  classes = new SchemaClasses(),
): readonly EntryPair[] {
  const [olds, news] = [typesOf(oldRoot), typesOf(newRoot)];
  const pairs = new Map<RecordType, RecordType>();
  const matched = new Set<RecordType>();
  for (const match of [byPlace, byName, byTitle, byShape(classes)]) {
    const left = [
      olds.filter((older) => !pairs.has(older)),
      news.filter((newer) => !matched.has(newer)),
    ] as const;
    for (const [older, newer] of match(...left)) {
      pairs.set(older, newer);
      matched.add(newer);
    }
  }
  const removed = olds.filter((older) => !pairs.has(older));
  const added = news.filter((newer) => !matched.has(newer));
  return [
    ...[...pairs].map(([older, newer]): EntryPair => {
      const name = newer.name || older.name;
      const oldName = older.name || newer.name;
      return { name, oldName, old: older.location, new: newer.location, instead: newRoot };
    }),
    ...removed.map(({ name, location, isForeign }): EntryPair => {
      const instead = readerInstead(isForeign, newRoot);
      return { name, oldName: name, old: location, new: undefined, instead };
    }),
    ...added.map(({ name, location, isForeign }): EntryPair => {
      const instead = readerInstead(isForeign, oldRoot);
      return { name, oldName: name, old: undefined, new: location, instead };
    }),
  ];
}

/**
 * How a document publishes its record types: it is one type, an `anyOf` or `oneOf` of references to its own definitions,
 * or only a collection of definitions.
 */
export type DocumentKind = "type" | "union" | "collection";

export function kindOf(root: SchemaLocation): DocumentKind {
  if (membersOf(root) !== undefined) return "union";
  const isCollection = isBare(root) && definitionsOf(root).length > 0;
  return isCollection ? "collection" : "type";
}

/** Whether a root constrains records beyond listing their types. */
export function constrainsAllTypes({ schema, set }: SchemaLocation): boolean {
  return Object.keys(schema).some(
    (keyword) => keyword !== "anyOf" && !isAnnotation(keyword, set.format),
  );
}

/** The record types of a document that are found by the name of their definition: it publishes them nowhere. */
export function foreignTypes(root: SchemaLocation): string[] {
  return typesOf(root)
    .filter(({ isForeign }) => isForeign)
    .map(({ name }) => name);
}

/** Definitions of the same name that no record reaches in either version. */
export function pairUnused(oldRoot: SchemaLocation, newRoot: SchemaLocation): EntryPair[] {
  if ([oldRoot, newRoot].map(kindOf).includes("collection")) return [];
  const [olds, news] = [unusedOf(oldRoot), unusedOf(newRoot)];
  return [...matchBy(olds, news, placeOf)].map(([{ name, location }, twin]) => {
    return { name, oldName: name, old: location, new: twin.location, instead: newRoot };
  });
}

function unusedOf(root: SchemaLocation): RecordType[] {
  const reached = reachedFrom([root]);
  return definitionsOf(root)
    .filter(({ location }) => !reached.has(location.schema))
    .map((definition) => ({ ...definition, isForeign: true }));
}

interface RecordType {
  /** Name of its definition; "" for the document itself. */
  readonly name: string;
  readonly location: SchemaLocation;
  /** Whether it is only found by its name. */
  readonly isForeign: boolean;
}

/** The record types of a document: those that it publishes, or all definitions if it only holds definitions. */
function typesOf(root: SchemaLocation): RecordType[] {
  if (kindOf(root) === "collection") {
    return definitionsOf(root).map((definition) => ({ ...definition, isForeign: true }));
  }
  return (
    membersOf(root)?.map((member): RecordType => ({ ...member, isForeign: false })) ?? [
      { name: "", location: root, isForeign: false },
    ]
  );
}

interface Definition extends Pick<RecordType, "name" | "location"> {
  /** The keyword that contains it. */
  readonly keyword: string;
}

/** The definitions of a document; none for a part of one. */
function definitionsOf(root: SchemaLocation): Definition[] {
  const { schema } = root;
  if (!isJsonObject(schema) || root.pointer !== "") return [];
  return DEFINITION_KEYWORDS.flatMap((keyword) =>
    keysOf(schema[keyword]).map((name) => {
      const location = childOf(root, `/${keyword}/${toPointerToken(name)}`);
      return { name, location, keyword };
    }),
  );
}

/**
 * The definitions that a union refers to, its own or other documents, in order; undefined if the root is no union of
 * them. A member that constrains more than its definition does is no reference to it.
 */
function membersOf(root: SchemaLocation): Definition[] | undefined {
  const { schema, set } = root;
  if (!isJsonObject(schema) || root.pointer !== "") return undefined;
  const unions = [schema.anyOf, schema.oneOf].filter((union) => Array.isArray(union));
  const [union = []] = unions;
  if (unions.length !== 1) return undefined;
  const definitions = new Map(
    definitionsOf(root).map((each) => [`${each.keyword}/${each.name}`, each]),
  );
  const members = union.flatMap((member: unknown) => {
    if (!isPlainReference(member, set.format)) return [];
    const path = OWN_DEFINITION.exec(member.$ref)?.[1];
    return path === undefined ? toDocument(root, member.$ref) : (definitions.get(path) ?? []);
  });
  // A union may name a type twice.
  return members.length === union.length ? [...new Set(members)] : undefined;
}

/** Another document that is one record type, if a reference leads to one. Its name is its title or that of its file. */
function toDocument(root: SchemaLocation, reference: string): Definition[] {
  const location = root.set.tryToResolve(root, reference);
  if (typeof location !== "object" || location.pointer !== "" || location.uri === root.uri)
    return [];
  const { title } = Object(location.schema);
  const file = decodeURIComponent(location.uri).split("/").at(-1) ?? "";
  const name = typeof title === "string" ? title : file.replace(/(\.schema)?\.json$/, "");
  return [{ name, location, keyword: "$ref" }];
}

const OWN_DEFINITION = /^#\/((?:\$defs|definitions)\/[^/~%]+)$/;

function isBare({ schema, set }: SchemaLocation): boolean {
  return (
    isJsonObject(schema) && Object.keys(schema).every((each) => isAnnotation(each, set.format))
  );
}

/** See `EntryPair.instead`. */
function readerInstead(isForeign: boolean, root: SchemaLocation): SchemaLocation {
  if (!isForeign && kindOf(root) !== "collection") return root;
  return root.set.add(false, "rollout-wire:nothing");
}

type Match = (
  olds: readonly RecordType[],
  news: readonly RecordType[],
) => Iterable<readonly [older: RecordType, newer: RecordType]>;

/** One document may have definitions of the same name in `$defs` and in `definitions`. */
const byPlace: Match = (olds, news) => matchBy(olds, news, placeOf);

function placeOf({ name, location: { uri, pointer } }: RecordType): string {
  return JSON.stringify([name, uri, pointer]);
}

/** Includes two documents that are one type each. */
const byName: Match = (olds, news) => matchBy(olds, news, ({ name }) => name);

const byTitle: Match = (olds, news) => {
  const counts = new Map<string, number>();
  for (const title of news.map(titleOf)) counts.set(title, (counts.get(title) ?? 0) + 1);
  const isUnique = (title: string): boolean => title !== "" && counts.get(title) === 1;
  return matchBy(
    olds.filter((older) => isUnique(titleOf(older))),
    news,
    titleOf,
  );
};

/** Pairs the types that have the same key, in order. */
function* matchBy(
  olds: readonly RecordType[],
  news: readonly RecordType[],
  keyOf: (type: RecordType) => string,
): ReturnType<Match> {
  const waiting = new Map<string, RecordType[]>();
  for (const newer of news.toReversed()) {
    const key = keyOf(newer);
    const twins = waiting.get(key) ?? [];
    twins.push(newer);
    waiting.set(key, twins);
  }
  for (const older of olds) {
    const newer = waiting.get(keyOf(older))?.pop();
    if (newer !== undefined) yield [older, newer];
  }
}

function titleOf({ name, location: { schema } }: RecordType): string {
  const title = isJsonObject(schema) ? schema.title : undefined;
  return typeof title === "string" ? title : name;
}

function byShape(classes: SchemaClasses): Match {
  return (olds, news) => {
    const [older, newer] = [olds, news].map((types) => types.map(({ location }) => location));
    const { pairs } = matchMembers(older ?? [], newer ?? [], classes);
    return pairs.flatMap(([one, other]) => {
      const [oldType, newType] = [olds[one], news[other]];
      return oldType === undefined || newType === undefined ? [] : [[oldType, newType] as const];
    });
  };
}
