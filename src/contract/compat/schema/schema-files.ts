import { posix } from "node:path";
import { addTo } from "../../../base/group-by.js";
import { isJsonObject, tryParseJson } from "../../../base/json/value.js";
import type { NamedText } from "../../schemas/schema-id.js";
import { findCustomDialect } from "./custom-dialect.js";
import { type Dialect, DRAFT_2020_12, type FindDialect } from "./dialects.js";
import { tryToParseSchema } from "./parse-schema.js";
import { isSame, isSchema, type Schema, subschemas } from "./subschemas.js";
import { decodeFragment, toUri } from "./uris.js";

/** The files to which a schema may refer by their path. Paths have slashes. */
export interface SchemaFiles {
  /** Path of the schema's own file. */
  readonly path: string;
  /** Folders in which a reference may begin, besides the folder of the file that contains it. */
  readonly roots: readonly string[];
  /** Text of the file at a path; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
}

interface NamedSchema extends NamedText {
  readonly schema: Schema;
  /** Whether the whole document has the `$id`, not only a part of it. */
  readonly isWhole: boolean;
}

/** Schemas are read when a reference first asks for one. */
const indices = new WeakMap<Iterable<NamedText>, ReadonlyMap<string, readonly NamedSchema[]>>();

/**
 * The named schema with an `$id`, its own, else that of a part. Of several, one in the folder of the referring file is
 * preferred, at `from`. Texts that are no schemas are left out. `dialect`: that of texts without `$schema`.
 */
export function findNamed(
  named: Iterable<NamedText>,
  id: string,
  { from, dialect }: { readonly from: string | undefined; readonly dialect: Dialect },
): NamedText | "ambiguous" | undefined {
  const found = indexNamed(named, dialect).get(id) ?? [];
  const whole = found.filter(({ isWhole }) => isWhole);
  const all = whole.length > 0 ? whole : found;
  const near = all.filter(
    ({ path }) => path && from && posix.dirname(path) === posix.dirname(from),
  );
  const [first, ...others] = near.length > 0 ? near : all;
  const isAmbiguous = others.some(
    ({ schema, isListed }) =>
      first && !first.isListed && !isListed && !isSame(schema, first.schema),
  );
  return isAmbiguous ? "ambiguous" : first;
}

/** Named schemas by their `$id`s and those of their parts. */
export function indexNamed(
  named: Iterable<NamedText>,
  dialect: Dialect,
): ReadonlyMap<string, readonly NamedSchema[]> {
  const known = indices.get(named);
  if (known !== undefined) return known;
  const index = new Map<string, NamedSchema[]>();
  indices.set(named, index);
  for (const each of named) {
    const schema = tryToParseSchema(each.text, dialect);
    if (schema === undefined) continue;
    const aliases = (each.aliases ?? []).map((alias) => toUri(alias, alias));
    const own = [toUri(String(Object(schema).$id), ""), ...aliases];
    for (const id of new Set([...idsIn(schema, ""), ...aliases])) {
      addTo(index, id, { ...each, schema, isWhole: own.includes(id) });
    }
  }
  return index;
}

/** The absolute `$id`s of a schema and of its parts. */
function* idsIn(schema: Schema, base: string): Generator<string> {
  const { $id } = Object(schema);
  const own =
    typeof $id === "string" && !/#./s.test($id) ? toUri($id, base).replace(/#$/, "") : base;
  if (own !== base) yield own;
  for (const [, child] of subschemas(schema)) yield* idsIn(child, own);
}

/**
 * Finds dialects whose metaschemas are among the files: named ones by their `$id`, others by their path, as a reference from
 * the file at `from` would lead there.
 */
export function dialectFinder(
  { others, files }: { readonly others: Iterable<NamedText>; readonly files?: SchemaFiles },
  from: string | undefined,
): FindDialect {
  const read = (target: string): unknown => {
    const uri = toUri(target, "");
    const named = findNamed(others, uri, { from, dialect: DRAFT_2020_12 });
    if (typeof named === "object") return tryParseJson(named.text);
    const { near, below } =
      files && from !== undefined
        ? candidatesOf(target, { path: from, id: undefined }, files.roots)
        : { near: [], below: [] };
    return [...near, ...below]
      .map((path) => tryParseJson(files?.read(path) ?? ""))
      .find((each) => isSchema(each) && isMeant(each, uri));
  };
  return (uri) => findCustomDialect(uri, read);
}

/** Endings that a reference may omit. */
const ENDINGS = ["", ".schema.json", ".json"];

/** The file that contains a reference. */
interface Referrer {
  readonly path: string;
  /** Its `$id`, if that is absolute. */
  readonly id: string | undefined;
}

/** The paths that a reference may mean. */
interface Candidates {
  /** Relative to its file; for a URL of the same host, as far from it as the URL is from its `$id`. */
  readonly near: readonly string[];
  /** Below a root; for a URL each end of its path. */
  readonly below: readonly string[];
}

export function candidatesOf(
  target: string,
  { path: from, id }: Referrer,
  roots: readonly string[],
): Candidates {
  const path = decodeFragment(URL.canParse(target) ? new URL(target).pathname : target);
  const isRelative = !URL.canParse(target) && !path.startsWith("/");
  const parts = path.split("/").filter((part) => part !== "");
  const ends = isRelative ? [path] : parts.map((_, index) => parts.slice(index).join("/"));
  const near = [
    ...(isRelative ? [path] : []),
    ...(id === undefined ? [] : pathsBetween(id, target)),
  ].map((each) => posix.join(posix.dirname(from), each));
  const below = roots.flatMap((root) => ends.map((end) => posix.join(root, end)));
  return { near: withEndings(near), below: withEndings(below) };
}

function withEndings(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ENDINGS.map((ending) => posix.normalize(path + ending)));
}

/** The path from one URL to another, if both are of one host. */
function pathsBetween(id: string, target: string): string[] {
  if (!URL.canParse(target, id)) return [];
  const [from, to] = [new URL(id), new URL(target, id)];
  if (from.protocol !== to.protocol || from.host !== to.host || !from.pathname.startsWith("/"))
    return [];
  return [posix.relative(posix.dirname(from.pathname), decodeFragment(to.pathname))];
}

/** Whether a file that lies where a reference leads can be meant: it has no other absolute `$id`. */
export function isMeant(schema: Schema, uri: string): boolean {
  const id: unknown = isJsonObject(schema) ? schema.$id : undefined;
  return typeof id !== "string" || !URL.canParse(id) || toUri(id, id) === uri;
}
