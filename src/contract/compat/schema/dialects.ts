import { pointerTokens, toPointerToken } from "../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import {
  DEFINITION_KEYWORDS,
  isAnnotation,
  LIST_APPLICATORS,
  MAP_APPLICATORS,
  SINGLE_APPLICATORS,
} from "../../schemas/keywords.js";
import { carryExactNumbers } from "./exact-numbers.js";
import { LEAVES_UNEVALUATED, WRITTEN_WHOLE } from "./schema-set.js";
import { isSchema, type Schema } from "./subschemas.js";

/** A dialect of JSON Schema whose schemas can be compared. */
export interface Dialect {
  readonly name: "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04";
  /** The value of `$schema`. An empty fragment after it is the whole document. */
  readonly uri: string;
  /** Keywords of other dialects, which have no meaning in this one. */
  readonly ignores: readonly string[];
  /** Of a dialect that a metaschema defines: a vocabulary that nobody knows here, and which must be known. */
  readonly foreign?: string | undefined;
  /** Whether `format` is an assertion, whatever the user says. */
  readonly assertsFormat?: boolean;
  /** The keywords of one schema as draft 2020-12 names them. */
  readonly rewrite: (keywords: Keywords, around: Surroundings) => Keywords;
}

type Keywords = ReadonlyMap<string, unknown>;

interface Surroundings {
  readonly isRoot: boolean;
  /** Whether a `$recursiveRef` in this resource may lead out of it. */
  readonly isRecursive: boolean;
  readonly find: FindDialect;
}

const SINCE_2020_12 = ["$dynamicAnchor", "$dynamicRef", "prefixItems"];

const SINCE_2019_09 = [
  "$anchor",
  "$recursiveAnchor",
  "$recursiveRef",
  "$vocabulary",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "unevaluatedItems",
  "unevaluatedProperties",
];

export const DRAFT_2020_12: Dialect = {
  name: "2020-12",
  uri: "https://json-schema.org/draft/2020-12/schema",
  ignores: [],
  rewrite: (keywords) => keywords,
};

const DRAFT_07: Dialect = {
  name: "draft-07",
  uri: "http://json-schema.org/draft-07/schema",
  ignores: [...SINCE_2020_12, ...SINCE_2019_09],
  rewrite: (keywords, around) =>
    splitDependencies(splitItems(nameAnchor(separateSiblings(keywords, around)))),
};

const DRAFT_06: Dialect = {
  ...DRAFT_07,
  name: "draft-06",
  uri: "http://json-schema.org/draft-06/schema",
  ignores: [...DRAFT_07.ignores, "if", "then", "else"],
};

const DIALECTS: readonly Dialect[] = [
  DRAFT_2020_12,
  {
    name: "2019-09",
    uri: "https://json-schema.org/draft/2019-09/schema",
    ignores: SINCE_2020_12,
    rewrite: (keywords, around) => splitItems(nameRecursion(markContains(keywords), around)),
  },
  DRAFT_07,
  DRAFT_06,
  {
    ...DRAFT_06,
    name: "draft-04",
    uri: "http://json-schema.org/draft-04/schema",
    ignores: [...DRAFT_06.ignores, "$id", "const", "contains", "propertyNames"],
    rewrite: (keywords, around) => DRAFT_06.rewrite(markInteger(renameDraft04(keywords)), around),
  },
];

/** The dialect of that URI, with http or https; undefined if its schemas cannot be compared. */
export function findDialect(uri: string): Dialect | undefined {
  const plain = uri.replace(/#$/, "").replace(/^https?:/, "");
  return DIALECTS.find((dialect) => dialect.uri.replace(/^https?:/, "") === plain);
}

/** The URIs of all dialects, for messages. */
export const DIALECT_URIS = DIALECTS.map(({ uri }) => uri);

/** Finds the dialect of schemas by their `$schema`; undefined if it is not known. */
export type FindDialect = (uri: string) => Dialect | undefined;

/**
 * The same constraints in draft 2020-12. The pointers of subschemas change where that draft has other keywords:
 * `toOriginalPointer` reverses that.
 */
export function upgradeSchema(schema: Schema, dialect: Dialect, find: FindDialect): Schema {
  if (typeof schema === "boolean") return schema;
  const isPlain = dialect === DRAFT_2020_12 && embeddedIn(schema, dialect, find).next().done;
  return isPlain ? schema : upgrade(schema, dialect, { isRoot: true, isRecursive: false, find });
}

/** Keywords that contain schemas, those of older dialects included. */
export const LISTS = [...LIST_APPLICATORS, "items"];
export const MAPS = [...MAP_APPLICATORS, "dependencies"];
export const SINGLES = [...SINGLE_APPLICATORS, "additionalItems"];

/** A document in another one: its JSON Pointer, itself, and its dialect, undefined if that is not known. */
type Embedded = readonly [pointer: string, JsonObject, Dialect | undefined];

/** The documents of other dialects in a schema, as in a bundle, without those in them. */
export function* embeddedIn(
  schema: object,
  around: Dialect,
  find: FindDialect,
  pointer = "",
): Generator<Embedded> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null) continue;
    const isMany = Array.isArray(value) ? LISTS.includes(keyword) : MAPS.includes(keyword);
    if (!isMany && !SINGLES.includes(keyword)) continue;
    const at = `${pointer}/${keyword}`;
    const parts: [string, unknown][] = isMany
      ? Object.entries(value).map(([name, part]) => [`${at}/${toPointerToken(name)}`, part])
      : [[at, value]];
    for (const [place, part] of parts) {
      if (!isJsonObject(part)) continue;
      const uri = dialectIn(part);
      const own = uri === undefined ? around : find(uri);
      if (own !== around) yield [place, part, own];
      else yield* embeddedIn(part, around, find, place);
    }
  }
}

/** The `$schema` of an embedded document; undefined for any other schema. */
function dialectIn({ $id, id, $schema }: JsonObject): string | undefined {
  const isNamed = typeof $id === "string" || typeof id === "string";
  return isNamed && typeof $schema === "string" ? $schema : undefined;
}

function upgrade(schema: Schema, around: Dialect, outside: Surroundings): Schema {
  if (typeof schema === "boolean") return schema;
  const uri = outside.isRoot ? undefined : dialectIn(schema);
  const dialect = (uri === undefined ? undefined : outside.find(uri)) ?? around;
  const isResource = outside.isRoot || typeof schema.$id === "string";
  const isRecursive = isResource ? schema.$recursiveAnchor === true : outside.isRecursive;
  const surroundings = { ...outside, isRecursive };
  const known = Object.entries(schema).filter(([keyword]) => !dialect.ignores.includes(keyword));
  const inside = { ...surroundings, isRoot: false };
  const keywords = [...dialect.rewrite(new Map(known), surroundings)].map(
    ([keyword, value]) => [keyword, upgradeValue(keyword, value, dialect, inside)] as const,
  );
  const upgraded = carryExactNumbers(schema, Object.fromEntries(keywords));
  sources.set(upgraded, schema);
  return upgraded;
}

/** The value of a keyword, with the schemas in it upgraded. */
function upgradeValue(
  keyword: string,
  value: unknown,
  dialect: Dialect,
  around: Surroundings,
): unknown {
  const convert = (child: unknown): unknown =>
    isSchema(child) ? upgrade(child, dialect, around) : child;
  if (SINGLE_APPLICATORS.includes(keyword)) return convert(value);
  if (LIST_APPLICATORS.includes(keyword) && Array.isArray(value)) {
    return carryExactNumbers(value, value.map(convert));
  }
  if (MAP_APPLICATORS.includes(keyword) && isJsonObject(value)) {
    const members = Object.entries(value).map(([name, child]) => [name, convert(child)] as const);
    return carryExactNumbers(value, Object.fromEntries(members));
  }
  return value;
}

/** The schemas from which upgraded ones were made. */
const sources = new WeakMap<object, JsonObject>();

/** The keywords of older dialects, by those that replace them. */
const OLDER: Readonly<Record<string, readonly string[]>> = {
  prefixItems: ["items"],
  items: ["additionalItems"],
  dependentRequired: ["dependencies"],
  dependentSchemas: ["dependencies"],
  $anchor: ["$id", "id"],
  $id: ["id"],
  $dynamicAnchor: ["$recursiveAnchor"],
  $dynamicRef: ["$recursiveRef"],
  $ref: ["$recursiveRef"],
};

/** The pointer, in the text of a document, to what `pointer` refers to in its upgraded form. */
export function toOriginalPointer(root: Schema, pointer: string): string {
  let at: unknown = root;
  const tokens = pointerTokens(pointer).map((token) => {
    const source = typeof at === "object" && at !== null ? sources.get(at) : undefined;
    const original = source && nameIn(source, token, at);
    at = typeof at === "object" && at !== null ? Reflect.get(at, token) : undefined;
    return `/${toPointerToken(original ?? token)}`;
  });
  return tokens.join("");
}

/** The pointer, in the upgraded form of a document, to what `pointer` refers to in its text. */
export function toUpgradedPointer(root: Schema, pointer: string): string {
  let at: unknown = root;
  const tokens = pointerTokens(pointer).map((token) => {
    const source = sources.get(Object(at));
    const isTuple = Array.isArray(source?.items);
    const moved = (isTuple && MOVED[token]) || (token === "dependencies" && "dependentSchemas");
    const upgraded = (source && moved) || token;
    at = Reflect.get(Object(at), upgraded);
    return `/${toPointerToken(upgraded)}`;
  });
  return tokens.join("");
}

/** What older dialects call differently where `items` is a list. */
const MOVED: Readonly<Record<string, string>> = { items: "prefixItems", additionalItems: "items" };

function nameIn(source: JsonObject, keyword: string, upgraded: unknown): string {
  const older = (OLDER[keyword] ?? []).find((each) => Object.hasOwn(source, each));
  const isMoved = !Object.hasOwn(source, keyword) || Object.hasOwn(Object(upgraded), "prefixItems");
  return older !== undefined && isMoved ? older : keyword;
}

/** Draft-07, section 8.3: everything beside a `$ref` is ignored. Annotations stay, and the name of the document. */
function separateSiblings(keywords: Keywords, { isRoot }: Surroundings): Keywords {
  if (typeof keywords.get("$ref") !== "string") return keywords;
  const isKept = (keyword: string): boolean =>
    STRUCTURE.includes(keyword) || (keyword === "$id" ? isRoot : isAnnotation(keyword));
  return new Map([...keywords].filter(([keyword]) => isKept(keyword)));
}

const STRUCTURE = ["$ref", "$schema", ...DEFINITION_KEYWORDS];

/** Whether nobody reads a place, because it is below a keyword beside a `$ref`. */
export function isVoid(root: Schema, pointer: string, { name }: Dialect): boolean {
  if (!name.startsWith("draft")) return false;
  let at: unknown = root;
  return pointerTokens(pointer).some((token) => {
    const isIgnored = typeof Object(at).$ref === "string" && !STRUCTURE.includes(token);
    at = Reflect.get(Object(at), token);
    return isIgnored;
  });
}

/** Draft-07, section 8.2.3: the fragment of an `$id` names a place, not a document; a pointer names nothing. */
function nameAnchor(keywords: Keywords): Keywords {
  const id = keywords.get("$id");
  const [, path = "", fragment = ""] =
    /^([^#]*)#(.+)$/s.exec(typeof id === "string" ? id : "") ?? [];
  if (fragment === "") return keywords;
  return replace(keywords, "$id", [
    ...(path === "" ? [] : [["$id", path] as const]),
    ...(fragment.startsWith("/") ? [] : [["$anchor", fragment] as const]),
  ]);
}

/** Draft-04: `id` is the name of a schema, and an exclusive bound a flag beside the bound. */
function renameDraft04(keywords: Keywords): Keywords {
  const id = keywords.get("id");
  const renamed = replace(keywords, "id", typeof id === "string" ? [["$id", id]] : []);
  return [
    ["minimum", "exclusiveMinimum"] as const,
    ["maximum", "exclusiveMaximum"] as const,
  ].reduce((all, [bound, exclusive]) => {
    const flag = all.get(exclusive);
    if (typeof flag !== "boolean") return all;
    const without = replace(all, exclusive, []);
    return flag ? replace(without, bound, [[exclusive, all.get(bound)]]) : without;
  }, renamed);
}

/** Draft-04, section 3.5 of the core: 1.0 is no integer. */
function markInteger(keywords: Keywords): Keywords {
  const types = [keywords.get("type")].flat();
  if (!types.includes("integer") || types.includes("number")) return keywords;
  return new Map([...keywords, [WRITTEN_WHOLE, true]]);
}

/** 2019-09, section 9.3.1.3: only `items` and its kin evaluate items. */
function markContains(keywords: Keywords): Keywords {
  return keywords.has("contains") ? new Map([...keywords, [LEAVES_UNEVALUATED, true]]) : keywords;
}

/** Before 2020-12, a list in `items` was a tuple, and `additionalItems` constrained what follows. */
function splitItems(keywords: Keywords): Keywords {
  const items = keywords.get("items");
  const rest = keywords.get("additionalItems");
  const without = replace(keywords, "additionalItems", []);
  if (!Array.isArray(items)) return without;
  return replace(without, "items", [
    ["prefixItems", items],
    ...(rest === undefined ? [] : [["items", rest] as const]),
  ]);
}

/** Draft-07, section 6.5.7: a list names required properties; anything else is a schema. */
function splitDependencies(keywords: Keywords): Keywords {
  const dependencies = keywords.get("dependencies");
  if (!isJsonObject(dependencies)) return keywords;
  const entries = Object.entries(dependencies);
  const [required, schemas] = [true, false].map((isList) =>
    Object.fromEntries(entries.filter(([, value]) => Array.isArray(value) === isList)),
  );
  return replace(keywords, "dependencies", [
    ["dependentRequired", required],
    ["dependentSchemas", schemas],
  ]);
}

/** The name that stands for every `$recursiveAnchor: true`. */
export const RECURSIVE = "rollout-wire-recursive";

/** 2019-09, section 8.2.4.2.1: `$recursiveRef` is a `$ref` to the root unless the root has a recursive anchor. */
function nameRecursion(keywords: Keywords, { isRecursive }: Surroundings): Keywords {
  const hasAnchor = keywords.get("$recursiveAnchor") === true;
  const anchored = replace(
    keywords,
    "$recursiveAnchor",
    hasAnchor ? [["$dynamicAnchor", RECURSIVE]] : [],
  );
  return replace(anchored, "$recursiveRef", [["$dynamicRef", isRecursive ? `#${RECURSIVE}` : "#"]]);
}

/** The same keywords, with others in the place of one. */
function replace(
  keywords: Keywords,
  keyword: string,
  others: readonly (readonly [string, unknown])[],
): Keywords {
  return new Map([...keywords].flatMap((entry) => (entry[0] === keyword ? [...others] : [entry])));
}
