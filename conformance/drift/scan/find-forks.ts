import { basename } from "node:path/posix";
import { isJsonObject, type JsonObject } from "../../../src/records/json-object.js";
import type { Tree } from "../trees/tree.js";
import { type Structure, similarityOf, structureOf } from "./structure.js";

/** A file that looks like one of the canonical schemas. */
export interface Fork {
  readonly path: string;
  /** Name of the schema that it looks like. */
  readonly schema: string;
  /** What gave it away, the surest first. */
  readonly by: "$id" | "name" | "structure";
  /** How much the two have in common, from 0 to 1. */
  readonly similarity: number;
  readonly text: string;
}

/** A schema whose forks are looked for. */
export interface ScannedSchema {
  readonly name: string;
  readonly id: string;
  readonly structure: Structure;
}

/** What was looked at. */
export interface ScanResult {
  readonly files: number;
  /** Files that hold a JSON object that might be a schema. */
  readonly candidates: number;
  readonly forks: readonly Fork[];
  /** Files that are too large to be read. */
  readonly tooLarge: readonly string[];
}

/** A schema is at most this large, in bytes. */
const MAX_SIZE = 2 ** 24;

/**
 * From which similarity on a schema is a fork, whatever its name. Measured with random edits: a copy of
 * rollout-wire with half of its properties renamed is above 0.42; the schemas of this format are at most 0.29
 * like each other, and those that come with jsonschema, ajv and SARIF at most 0.12.
 */
export const MIN_SIMILARITY = 0.4;

/** Every file of a tree that is a copy of one of the schemas, or was once, whatever it is called. */
export function findForks(tree: Tree, schemas: readonly ScannedSchema[]): ScanResult {
  const files = tree.files();
  const readable = files.filter(({ size }) => size <= MAX_SIZE);
  const forks: Fork[] = [];
  let candidates = 0;
  for (const [path, bytes] of tree.readMany(readable.map(({ path }) => path))) {
    // What has neither word is no schema, and need not be parsed.
    if (!bytes.includes('"properties"') && !bytes.includes("$id")) continue;
    const text = bytes.toString("utf8").replace(/^\ufeff/, "");
    const document = parse(text);
    if (document !== undefined) candidates += 1;
    const found =
      document === undefined ? findQuoted(text, schemas) : compare(path, document, schemas);
    if (found !== undefined) forks.push({ path, text, ...found });
  }
  const tooLarge = files.filter(({ size }) => size > MAX_SIZE).map(({ path }) => path);
  return { files: files.length, candidates, forks, tooLarge };
}

type Likeness = Pick<Fork, "schema" | "by" | "similarity">;

function compare(
  path: string,
  document: JsonObject,
  schemas: readonly ScannedSchema[],
): Likeness | undefined {
  const structure = structureOf(document);
  const ranked = schemas
    .map((schema) => ({ schema, similarity: similarityOf(structure, schema.structure) }))
    .sort((one, other) => other.similarity - one.similarity);
  for (const by of ["$id", "name"] as const) {
    const match = ranked.find(({ schema }) => LIKE[by](schema, document, path));
    if (match) return { schema: match.schema.name, by, similarity: match.similarity };
  }
  const [closest] = ranked;
  if (closest === undefined || closest.similarity < MIN_SIMILARITY) return undefined;
  return { schema: closest.schema.name, by: "structure", similarity: closest.similarity };
}

const LIKE = {
  $id: ({ id }: ScannedSchema, { $id }: JsonObject): boolean => $id === id,
  name: ({ name }: ScannedSchema, { $id, title }: JsonObject, path: string): boolean => {
    const isNamed = [$id, title].some(
      (each) => typeof each === "string" && new RegExp(`(^|[/:])${name}([/@#.:]|$)`).test(each),
    );
    return isNamed || basename(path).replace(/\.(schema\.)?json$/, "") === name;
  },
};

/** A schema that is written down in a program, found by its `$id`. */
function findQuoted(text: string, schemas: readonly ScannedSchema[]): Likeness | undefined {
  const quoted = schemas.find(({ id }) =>
    new RegExp(`\\$id["'\`]?\\s*[:=]\\s*["'\`]${escapeRegExp(id)}["'\`]`).test(text),
  );
  return quoted && { schema: quoted.name, by: "$id", similarity: 0 };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function parse(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
