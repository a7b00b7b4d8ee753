import { posix } from "node:path";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";
import type { VersionFiles } from "./judge.js";

/**
 * Record types, before they are laid out in files: schemas in draft 2020-12 in which a `$ref` is only the name of another
 * type.
 */
export type Types = Readonly<Record<string, JsonObject>>;

/** How types are published. */
export interface Layout {
  readonly root: "collection" | "anyOf" | "oneOf" | "type";
  readonly keyword: "$defs" | "definitions";
  readonly dialect: VersionFiles["dialect"];
  /** The types that are in other files. */
  readonly moved: readonly string[];
  /** The path of the document, and of the file of each moved type. */
  readonly path: string;
  readonly filePath: string;
  readonly hasId: boolean;
  readonly filesHaveId: boolean;
  /** Whether references to files use the `$id` of the file, if it has one. */
  readonly refersById: boolean;
  readonly omitsEnding: boolean;
  /** What constrains the members of a union beside their references. */
  readonly beside: JsonObject;
  /** Whether `$defs` and `definitions` have the same names: the latter with the schemas of the next type. */
  readonly hasTwins: boolean;
  /** The number of the type to be compared alone; undefined for the whole document. */
  readonly only: number | undefined;
}

export interface LayoutVersion {
  readonly types: Types;
  readonly layout: Layout;
}

/** The files of a version. */
export function layOut({ types: given, layout: how }: LayoutVersion): VersionFiles {
  const { root, keyword, dialect, path, hasId, filesHaveId, refersById } = how;
  const names = Object.keys(given);
  const [first = "A"] = names;
  const moved = names.filter((name) => how.moved.includes(name) && name !== first);
  const pathOf = (name: string): string =>
    posix.join(posix.dirname(path), how.filePath.replace("NAME", name.toLowerCase()));
  const idOf = (name: string): string => `https://ids.example/x/y/z/q/${name}-id.json`;
  const reference = (name: string, from: string): string => {
    const isMoved = moved.includes(name);
    const to = isMoved ? pathOf(name) : path;
    // The first type is the document itself if that is one type.
    const inside = isMoved || (root === "type" && name === first) ? "" : `/${keyword}/${name}`;
    if (from === to) return `#${inside}`;
    const hash = inside === "" ? "" : `#${inside}`;
    if (refersById && (isMoved ? filesHaveId : hasId)) {
      return idOf(isMoved ? name : "record") + hash;
    }
    const relative = posix.relative(posix.dirname(from), to);
    return (how.omitsEnding ? relative.replace(/(\.schema)?\.json$/, "") : relative) + hash;
  };
  const lower = (name: string, from: string): JsonObject =>
    toDialect(given[name] ?? {}, dialect, (target) => reference(target, from));
  const head = (name: string, isNamed: boolean): JsonObject => ({
    $schema: URIS[dialect],
    ...(isNamed && { $id: idOf(name) }),
  });
  const inside = names.filter(
    (name) => !moved.includes(name) && !(root === "type" && name === first),
  );
  const definitions = Object.fromEntries(inside.map((name) => [name, lower(name, path)]));
  const other = keyword === "$defs" ? "definitions" : "$defs";
  const schemas = Object.values(definitions);
  const twins = Object.fromEntries(
    inside.map((name, index) => [name, schemas[(index + 1) % schemas.length]]),
  );
  const isUnion = root === "anyOf" || root === "oneOf";
  const document: JsonObject = {
    ...head("record", hasId),
    ...(root === "type" && lower(first, path)),
    ...(isUnion && {
      [root]: inside.map((name) => ({ ...how.beside, $ref: `#/${keyword}/${name}` })),
    }),
    ...(inside.length > 0 && { [keyword]: definitions }),
    ...(inside.length > 0 && how.hasTwins && { [other]: twins }),
  };
  const files = new Map([[path, document]]);
  for (const name of moved) {
    files.set(pathOf(name), { ...head(name, filesHaveId), ...lower(name, pathOf(name)) });
  }
  const only = how.only === undefined ? undefined : inside[how.only % Math.max(1, inside.length)];
  return { dialect, path, files, fragment: only && `/${keyword}/${only}` };
}

const URIS: Readonly<Record<Layout["dialect"], string>> = {
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft-07": "http://json-schema.org/draft-07/schema#",
};

/** Renames what older dialects call differently, and resolves references. */
function toDialect(
  schema: JsonObject,
  dialect: Layout["dialect"],
  reference: (name: string) => string,
): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([keyword, content]): [string, unknown] => {
      if (keyword === "$ref" && typeof content === "string") return [keyword, reference(content)];
      if (dialect === "2020-12") return [keyword, content];
      if (keyword === "prefixItems") return ["items", content];
      if (keyword === "items" && Object.hasOwn(value, "prefixItems"))
        return ["additionalItems", content];
      if (keyword === "dependentRequired" && dialect === "draft-07")
        return ["dependencies", content];
      return [keyword, content];
    });
    return Object.fromEntries(entries);
  });
}
