import type { SchemaTier } from "#generated/index.js";
import { type FaultPlace, FileFault } from "../../../base/findings/finding.js";
import { toPointerToken } from "../../../base/json/pointer.js";
import type { JsonObject } from "../../../base/json/value.js";
import { formatBytes } from "../../../base/text.js";
import { DIALECT_URIS, type Dialect, DRAFT_2020_12 } from "../../compat/schema/dialects.js";
import { MAX_SCHEMA_LENGTH } from "../../compat/schema/parse-schema.js";
import { dialectFinder } from "../../compat/schema/schema-files.js";
import { parseJsonFile } from "../../schemas/read-json-file.js";
import type { NamedText } from "../../schemas/schema-id.js";

/** A schema file that code is generated from. */
export interface SchemaFile {
  /** Path from the root, with forward slashes; or the URI of a document that this program has, such as a metaschema. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Name of its module. Default: made of the path. */
  readonly name?: string | undefined;
  /** Other `$id`s by which references may name it. */
  readonly aliases?: readonly string[] | undefined;
  /** Of a schema in our registry, whose root lists the record types of a line. */
  readonly tier?: SchemaTier | undefined;
}

/** A file that is JSON, in a dialect that is known. */
export interface ParsedFile extends SchemaFile {
  readonly text: string;
  /** As written. */
  readonly document: JsonObject;
  readonly dialect: Dialect;
}

/** Parses schema files. A file that is not JSON, or of an unknown dialect, is a fault; then no file is returned. */
export function parseFiles(files: readonly SchemaFile[]): {
  readonly parsed: readonly ParsedFile[];
  readonly faults: readonly FaultPlace[];
} {
  const faults: FaultPlace[] = [];
  const readable = files.flatMap((file) => {
    try {
      return [readText(file)];
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push(...error.places);
      return [];
    }
  });
  const others = toNamedTexts(readable);
  const parsed = readable.flatMap((file): ParsedFile[] => {
    const { $schema } = file.document;
    if ($schema === undefined) return [{ ...file, dialect: DRAFT_2020_12 }];
    const dialect = dialectFinder({ others }, file.path)(String($schema));
    if (dialect !== undefined) return [{ ...file, dialect }];
    const message = `has a dialect that is not known here: one of ${DIALECT_URIS.join(", ")}, or one whose metaschema is among the files`;
    faults.push(invalid(file, message, "/$schema"));
    return [];
  });
  return { parsed: faults.length > 0 ? [] : parsed, faults };
}

type ReadFile = Omit<ParsedFile, "dialect">;

function readText(file: SchemaFile): ReadFile {
  if (file.bytes.length > MAX_SCHEMA_LENGTH) {
    const [is, limit] = [file.bytes.length, MAX_SCHEMA_LENGTH].map(formatBytes);
    throw new FileFault(invalid(file, `has ${is}: a schema has at most ${limit}`));
  }
  const { text, value } = parseJsonFile(file.bytes, file.path);
  const [odd, ...others] = [...findOdd(value)].map(({ message, pointer }) =>
    invalid(file, message, pointer),
  );
  if (odd !== undefined) throw new FileFault(odd, ...others);
  return { ...file, text, document: value };
}

/** The files as references find them: by `$id`, by alias, and by `uriOf`. */
export function toNamedTexts(files: readonly ReadFile[]): NamedText[] {
  return files.map(({ path, text, aliases = [] }, index) => ({
    text,
    path,
    aliases: [...aliases, uriOf(index)],
  }));
}

/** The URI that leads to the file at an index of the list, whatever its path and its `$id` are. */
export function uriOf(index: number): string {
  return `source:/${index}`;
}

export function invalid(
  { path }: { readonly path: string },
  message: string,
  pointer = "",
): FaultPlace {
  return { id: "schema", file: path, pointer, message };
}

/** Limit on nesting: less than any language's parser allows, and more than any schema needs. */
const MAX_DEPTH = 100;

interface OddValue {
  readonly pointer: string;
  readonly message: string;
}

/** The strings, numbers and depths in a JSON value that generated code cannot contain. */
function* findOdd(value: unknown, pointer = "", depth = 0): Generator<OddValue> {
  if (depth > MAX_DEPTH) {
    yield { pointer, message: `is nested more than ${MAX_DEPTH} levels deep` };
    return;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    yield { pointer, message: holds("a number beyond a double") };
  }
  if (typeof value === "string" && isOdd(value)) yield { pointer, message: describeOdd(value) };
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (isOdd(key)) yield { pointer, message: describeOdd(key) };
    yield* findOdd(child, `${pointer}/${toPointerToken(key)}`, depth + 1);
  }
}

/** Tabs and line breaks are as harmless as any letter. */
function isOdd(text: string): boolean {
  return /[\p{Cs}\p{Cc}]/u.test(text.replaceAll(/[\n\r\t]/g, ""));
}

function describeOdd(text: string): string {
  const shown = JSON.stringify(text.slice(0, 40));
  return holds(`a control character or a lone surrogate (in ${shown})`);
}

function holds(what: string): string {
  return `holds ${what}, which not every target can print`;
}
