import { basename } from "node:path/posix";
import { isJsonObject, type JsonObject, tryParseJson } from "../../../base/json/value.js";
import { listNamedTypes, type NamedType } from "../../schemas/named-types.js";
import { type Likeness, maxSimilarity } from "./likeness.js";
import {
  compareStructures,
  featuresAt,
  jaccard,
  type Structure,
  structureOf,
} from "./structure.js";
import { compareNames, readOpenedNames, type SchemaNames } from "./written-names.js";

/** A schema to search forks of. */
export interface ScannedSchema {
  readonly name: string;
  /** Its `$id` and its aliases. */
  readonly ids: readonly string[];
  /** Its record types, with what `featuresAt` gives for each. */
  readonly types: readonly (NamedType & { readonly features: ReadonlySet<string> })[];
  /** Whether it is recognised by its contents too, and not only by its name and `$id`. */
  readonly isInferred: boolean;
  readonly structure: Structure;
  readonly names: SchemaNames;
}

/** How a fork was recognised, the surest clue first. */
export type Clue = "$id" | "name" | "structure" | "names";

export interface FoundLikeness {
  /** Name of the schema. */
  readonly schema: string;
  readonly by: Clue;
  readonly likeness: Likeness;
  /**
   * The only record type that the file describes: the one that its title or `$id` names, else the one that it is like. Its
   * name is undefined if that cannot be told. Absent: there are several, or the schema has no more than one.
   */
  readonly type?: { readonly name: string | undefined };
}

/** A file that resembles one of the canonical schemas. */
export interface Fork extends FoundLikeness {
  readonly path: string;
  /** Decoded, without a byte-order mark. */
  readonly text: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
}

/**
 * Minimum similarity of a fork, whatever its name. Measured with random edits: a copy of rollout-wire with half of its
 * properties renamed has more than 0.42; the schemas of this format have at most 0.29 with each other, and those of
 * jsonschema, ajv and SARIF at most 0.12.
 */
export const MIN_SIMILARITY = 0.4;

/**
 * Minimum share of the names of a schema, or of one large object in it, for a text to contain a fork. Measured: texts
 * with one of our schemas have at least 0.97; in this repository, its node_modules and its Python packages nothing else
 * exceeds 0.17, except the schema of another preference format with 0.41.
 */
const MIN_NAMES_SHARE = 0.5;

/** The schema that a text is, or contains, a copy or fork of; undefined if none. */
export function findLikeness(
  path: string,
  text: string,
  schemas: readonly ScannedSchema[],
): FoundLikeness | undefined {
  const document = parse(text);
  const found = document && compare(path, document, schemas);
  // A JSON document may contain a schema inside a string.
  const isWhole = document !== undefined && !text.includes('\\"');
  return found ?? (isWhole ? undefined : findWritten(path, text, schemas));
}

/** Whether a file is named like a schema's file, with or without a version. */
export function isSchemaOf(path: string, name: string): boolean {
  const file = basename(path).toLowerCase().replaceAll("_", "-");
  return (
    file.startsWith(name) &&
    /^([.@-]v?\d[\d.]*)?\.schema\.(json|ya?ml)$/.test(file.slice(name.length))
  );
}

function compare(
  path: string,
  document: JsonObject,
  schemas: readonly ScannedSchema[],
): FoundLikeness | undefined {
  const structure = structureOf(document);
  const fits = new Map(schemas.map((schema) => [schema, findFit(document, schema)]));
  const clear = [...fits.values()].filter((fit) => fit !== undefined && isClear(fit));
  const ranked = rank(schemas, (schema) => {
    const likeness = compareStructures(structure, schema.structure);
    // A record type comes before an object in one.
    return clear.length > 0 ? { ...likeness, part: fits.get(schema)?.part } : likeness;
  });
  const found = findRanked(path, document, ranked);
  if (found === undefined) return undefined;
  const { schema, likeness } = found.closest;
  const fit = fits.get(schema);
  // Two schemas may have the same type.
  const isTie = clear.some(
    (each) => each !== fit && each?.part.similarity === fit?.part.similarity,
  );
  const type = findType(document, schema, fit && { ...fit, isTie: fit.isTie || isTie });
  return { schema: schema.name, by: found.by, likeness, ...(type && { type }) };
}

/** The schemas are ranked, the most similar first. */
function findRanked(
  path: string,
  document: JsonObject,
  ranked: readonly Ranked[],
): { readonly closest: Ranked; readonly by: Clue } | undefined {
  const identified = ranked.find(({ schema }) => LIKE.$id(schema, document));
  if (identified !== undefined) return { closest: identified, by: "$id" };
  const named =
    ranked.find(({ schema }) => findTitled(document, schema) !== undefined) ??
    ranked.find(({ schema }) => LIKE.name(schema, document, path));
  if (named !== undefined) return { closest: named, by: "name" };
  const closest = ranked.find(({ schema }) => schema.isInferred);
  if (closest === undefined || maxSimilarity(closest.likeness) < MIN_SIMILARITY) return undefined;
  return { closest, by: "structure" };
}

/** The record type to which the root of a document is most similar. */
interface Fit {
  readonly part: NonNullable<Likeness["part"]>;
  /** Whether another type is as similar. */
  readonly isTie: boolean;
}

/** Undefined if the root is no object of its own, such as a union or a collection of definitions. */
function findFit(document: JsonObject, { types }: ScannedSchema): Fit | undefined {
  const [root, ...others] = listNamedTypes(document, "");
  const features = featuresAt(document, "");
  if (root?.pointer !== "" || others.length > 0 || features.size === 0) return undefined;
  const [best, next] = types
    .map(({ name, pointer, features: own }) => ({
      ...{ at: "", name: pointer === "" ? "" : name },
      similarity: jaccard(features, own),
    }))
    .sort((one, other) => other.similarity - one.similarity);
  return best && { part: best, isTie: best.similarity === next?.similarity };
}

function isClear({ part, isTie }: Fit): boolean {
  return part.similarity >= MIN_SIMILARITY && !isTie;
}

/** See `FoundLikeness`. */
function findType(
  document: JsonObject,
  schema: ScannedSchema,
  fit: Fit | undefined,
): FoundLikeness["type"] {
  const name = findTitled(document, schema);
  if (name !== undefined) return { name };
  if (fit === undefined || schema.types.some(({ pointer }) => pointer === "")) return undefined;
  return { name: isClear(fit) ? fit.part.name : undefined };
}

/** The record type that a document says it is, unless it is the whole schema. */
function findTitled(document: JsonObject, { types }: ScannedSchema): string | undefined {
  return types.find(({ name, pointer }) => pointer !== "" && isTitled(document, name))?.name;
}

/**
 * Whether a schema calls itself like a record type, in its title or `$id`: `PpoTrainingRecord`,
 * `ppo-training-record/v1`, `PPO training record`.
 */
function isTitled(document: JsonObject, type: string): boolean {
  if (!isJsonObject(document.properties)) return false;
  const wanted = toPlainName(type);
  return [document.title, document.$id].some((name) => {
    if (typeof name !== "string") return false;
    const [last = ""] = name
      .replace(/(\.schema)?\.json$/, "")
      .split(/[/:]/)
      .filter((part) => !/^v?\d[\d.]*$/.test(part))
      .slice(-1);
    return toPlainName(last.replace(/[.@ -]v?\d[\d.]*$/, "")) === wanted;
  });
}

/** Without case and separators. */
function toPlainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The start of a URN, which names its owner and not the schema. */
const NAMESPACE = /^urn:[^:]*:/i;

const LIKE = {
  $id: ({ ids }: ScannedSchema, { $id }: JsonObject): boolean => ids.some((id) => id === $id),
  name: ({ name, types }: ScannedSchema, document: JsonObject, path: string): boolean => {
    const [whole] = types.filter(({ pointer }) => pointer === "");
    if (whole !== undefined && isTitled(document, whole.name)) return true;
    const isNamed = [document.$id, document.title].some(
      (each) =>
        typeof each === "string" &&
        new RegExp(`(^|[/:])${name}([/@#.:]|$)`).test(each.replace(NAMESPACE, "")),
    );
    // A data file may have the bare name too.
    const isSchema = ["$id", "$defs", "definitions", "properties"].some((key) => key in document);
    return isNamed || isSchemaOf(path, name) || (isSchema && basename(path) === `${name}.json`);
  },
};

/** Finds a schema inside source code, documentation, YAML or incomplete JSON. */
function findWritten(
  path: string,
  text: string,
  schemas: readonly ScannedSchema[],
): FoundLikeness | undefined {
  const written = readOpenedNames(text);
  const ranked = rank(schemas, ({ names }) => compareNames(written, names));
  const quoted = ranked.find(({ schema }) => schema.ids.some((id) => isQuoted(text, id)));
  if (quoted) return { schema: quoted.schema.name, by: "$id", likeness: quoted.likeness };
  const named = ranked.find(({ schema }) => isSchemaOf(path, schema.name));
  if (named) return { schema: named.schema.name, by: "name", likeness: named.likeness };
  const [closest] = ranked.filter(({ schema }) => schema.isInferred);
  if (closest === undefined || maxSimilarity(closest.likeness) < MIN_NAMES_SHARE) return undefined;
  return { schema: closest.schema.name, by: "names", likeness: closest.likeness };
}

/** Whether a text assigns an id to `$id`, with or without quotes. */
function isQuoted(text: string, id: string): boolean {
  if (!text.includes(id)) return false;
  const quotes = `\\\\*["'\`]?`;
  return new RegExp(`\\$id${quotes}\\s*[:=]\\s*${quotes}${escapeRegExp(id)}(?![\\w/.-])`).test(
    text,
  );
}

interface Ranked {
  readonly schema: ScannedSchema;
  readonly likeness: Likeness;
}

/** The schemas, most similar first. */
function rank(
  schemas: readonly ScannedSchema[],
  likenessOf: (schema: ScannedSchema) => Likeness,
): Ranked[] {
  return schemas
    .map((schema) => ({ schema, likeness: likenessOf(schema) }))
    .sort((one, other) => maxSimilarity(other.likeness) - maxSimilarity(one.likeness));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function parse(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : undefined;
}
