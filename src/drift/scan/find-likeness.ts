import { basename } from "node:path/posix";
import { isJsonObject, type JsonObject } from "../../json/value.js";
import { type Likeness, mostOf } from "./likeness.js";
import { compareStructures, type Structure, structureOf } from "./structure.js";
import { compareNames, readOpenedNames, type SchemaNames } from "./written-names.js";

/** A schema whose forks are looked for. */
export interface ScannedSchema {
  readonly name: string;
  readonly id: string;
  readonly structure: Structure;
  readonly names: SchemaNames;
}

/** What gives a fork away, the surest first. */
export type Clue = "$id" | "name" | "structure" | "names";

export interface FoundLikeness {
  /** Name of the schema. */
  readonly schema: string;
  readonly by: Clue;
  readonly likeness: Likeness;
}

/**
 * From which similarity on a schema is a fork, whatever its name. Measured with random edits: a copy of
 * rollout-wire with half of its properties renamed is above 0.42; the schemas of this format are at most 0.29
 * like each other, and those that come with jsonschema, ajv and SARIF at most 0.12.
 */
export const MIN_SIMILARITY = 0.4;

/**
 * From which share on of the names of a schema, or of one large object of it, a text holds a fork. Measured: a text with a
 * schema of ours in it has 0.97 and more; nothing else in this repository, its node_modules and its Python packages has more
 * than 0.17, but for the schema of another preference format, which has 0.41.
 */
export const MIN_NAMES_SHARE = 0.5;

/** The schema of which a text is a copy, was once, or has one in it; undefined when there is none. */
export function findLikeness(
  path: string,
  text: string,
  schemas: readonly ScannedSchema[],
): FoundLikeness | undefined {
  const document = parse(text);
  const found = document && compare(path, document, schemas);
  // What is JSON may hold one as a text.
  const isWhole = document !== undefined && !text.includes('\\"');
  return found ?? (isWhole ? undefined : findWritten(path, text, schemas));
}

/** Whether a file has the name of a schema's file, be there a version in it. */
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
  const ranked = rank(schemas, (schema) => compareStructures(structure, schema.structure));
  for (const by of ["$id", "name"] as const) {
    const match = ranked.find(({ schema }) => LIKE[by](schema, document, path));
    if (match) return { schema: match.schema.name, by, likeness: match.likeness };
  }
  const [closest] = ranked;
  if (closest === undefined || mostOf(closest.likeness) < MIN_SIMILARITY) return undefined;
  return { schema: closest.schema.name, by: "structure", likeness: closest.likeness };
}

const LIKE = {
  $id: ({ id }: ScannedSchema, { $id }: JsonObject): boolean => $id === id,
  name: ({ name }: ScannedSchema, document: JsonObject, path: string): boolean => {
    const isNamed = [document.$id, document.title].some(
      (each) => typeof each === "string" && new RegExp(`(^|[/:])${name}([/@#.:]|$)`).test(each),
    );
    // A file of records may have the bare name too.
    const isSchema = ["$id", "$defs", "definitions", "properties"].some((key) => key in document);
    return isNamed || isSchemaOf(path, name) || (isSchema && basename(path) === `${name}.json`);
  },
};

/** A schema that is written down in a program, a page or YAML, or that is no whole JSON. */
function findWritten(
  path: string,
  text: string,
  schemas: readonly ScannedSchema[],
): FoundLikeness | undefined {
  const written = readOpenedNames(text);
  const ranked = rank(schemas, ({ names }) => compareNames(written, names));
  const quoted = ranked.find(({ schema }) => isQuoted(text, schema.id));
  if (quoted) return { schema: quoted.schema.name, by: "$id", likeness: quoted.likeness };
  const named = ranked.find(({ schema }) => isSchemaOf(path, schema.name));
  if (named) return { schema: named.schema.name, by: "name", likeness: named.likeness };
  const [closest] = ranked;
  if (closest === undefined || mostOf(closest.likeness) < MIN_NAMES_SHARE) return undefined;
  return { schema: closest.schema.name, by: "names", likeness: closest.likeness };
}

/** Whether an id stands after `$id`, with or without quotes. */
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

/** The schemas, first the one of which there is most. */
function rank(
  schemas: readonly ScannedSchema[],
  likenessOf: (schema: ScannedSchema) => Likeness,
): Ranked[] {
  return schemas
    .map((schema) => ({ schema, likeness: likenessOf(schema) }))
    .sort((one, other) => mostOf(other.likeness) - mostOf(one.likeness));
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
