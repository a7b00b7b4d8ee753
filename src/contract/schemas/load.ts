import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { SchemaTier } from "#generated/index.js";
import { type FaultPlace, FileFault, throwFaults } from "../../base/findings/finding.js";
import { toPointerToken } from "../../base/json/pointer.js";
import { isJsonObject } from "../../base/json/value.js";
import { UserError } from "../../base/user-error.js";
import { canonicalHash } from "./hashes.js";
import type { SchemaNode } from "./nodes.js";
import { readJsonFile } from "./read-json-file.js";
import { REGISTRY_FILE } from "./registry-file.js";

/** A schema file, with the information that every target needs. */
export interface SourceSchema {
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  /** File name without extension, such as `rollout-wire`. */
  readonly name: string;
  readonly id: string;
  readonly canonicalHash: string;
  readonly document: SchemaNode;
  /** Names of the record types of a JSONL line: the members of the root's `anyOf`. */
  readonly entryTypes: readonly string[];
  readonly tier: SchemaTier;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Has the metaschema, which takes a while to compile. */
const ajv = new Ajv2020({ strict: true, allErrors: true });

/** Modules of the generated TypeScript whose names a schema may not have. */
const TAKEN_NAMES = [
  ...["features", "index", "record-types", "record-validators", "records", "redaction", "reports"],
  ...["schemas", "shapes", "types", "validators"],
];

export interface LoadedSchemas {
  /** The valid schemas. */
  readonly schemas: readonly SourceSchema[];
  /** The faults of all others. */
  readonly faults: readonly FaultPlace[];
}

/**
 * Reads every `schema/*.schema.json` below `root`, sorted by name. Faults: a file that is not JSON or not a
 * valid schema of draft 2020-12, has the `$id` of another file, or lacks its `$id`, its `$defs`, or the
 * `anyOf` of its record types. Throws UserError if there is no schema, or one cannot be read.
 */
export function loadSchemas(root: string): LoadedSchemas {
  const folder = join(root, "schema");
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".schema.json"))
    .map((entry) => entry.name)
    .sort();
  if (files.length === 0) throw new UserError(`${folder} contains no *.schema.json`);
  const tools = listTools(root);
  const schemas = new Map<string, SourceSchema>();
  const faults: FaultPlace[] = [];
  for (const file of files) {
    try {
      const path = `schema/${file}`;
      const schema = loadSchema(root, path, tools.includes(path) ? "tool" : "wire");
      const other = schemas.get(schema.id);
      if (other !== undefined) {
        throw new FileFault(invalid(path, `has the "$id" of ${other.file}`, "/$id"));
      }
      schemas.set(schema.id, schema);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults.push(...error.places);
    }
  }
  return { schemas: [...schemas.values()], faults };
}

/** The files of tier "tool". None if the registry cannot be read: whoever needs it says so. */
function listTools(root: string): unknown[] {
  try {
    const { schemas } = readJsonFile(root, REGISTRY_FILE).value;
    const entries: unknown[] = Array.isArray(schemas) ? schemas : [];
    return entries
      .filter(isJsonObject)
      .flatMap(({ tier, file }) => (tier === "tool" ? [file] : []));
  } catch (error) {
    if (error instanceof UserError || error instanceof FileFault) return [];
    throw error;
  }
}

function loadSchema(root: string, file: string, tier: SchemaTier): SourceSchema {
  const name = basename(file, ".schema.json");
  const document = readSchema(root, file);
  const { $id: id = "" } = document;
  const entryTypes = (document.anyOf ?? []).map(toEntryType);
  const isNamed = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && !TAKEN_NAMES.includes(name);
  const problems = [
    ...(isNamed ? [] : ["cannot name a module: use lower-case words and hyphens"]),
    ...(id === "" ? ['has no "$id": give it a URI of its own'] : []),
    ...(Object.keys(document.$defs ?? {}).length === 0
      ? ['has no "$defs": define each record type there and list it in "anyOf"']
      : []),
  ];
  throwFaults([
    ...problems.map((message) => invalid(file, message)),
    ...findEntryFaults(file, document),
  ]);
  return { file, name, id, canonicalHash: canonicalHash(document), document, entryTypes, tier };
}

/** Limit on nesting: less than any language's parser allows, and more than any schema needs. */
const MAX_DEPTH = 100;

function readSchema(root: string, file: string): SchemaNode {
  const { value: document } = readJsonFile(root, file);
  throwFaults(
    [...findOdd(document)].map(({ message, pointer }) => invalid(file, message, pointer)),
  );
  assertSchema(file, document);
  return document;
}

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

function isOdd(text: string): boolean {
  return /[\p{Cs}\p{Cc}]/u.test(text.replaceAll("\n", ""));
}

function describeOdd(text: string): string {
  const shown = JSON.stringify(text.slice(0, 40));
  return holds(`a control character or a lone surrogate (in ${shown})`);
}

function holds(what: string): string {
  return `holds ${what}, which not every target can print`;
}

function assertSchema(file: string, document: object): asserts document is SchemaNode {
  if ("$schema" in document && document.$schema !== DIALECT) {
    throw new FileFault(invalid(file, `must have "$schema": "${DIALECT}"`, "/$schema"));
  }
  if (ajv.validateSchema(document) === true) return;
  // The first error of a place says what is wrong there; the others say the same of what contains it.
  const errors = new Map<string, string>();
  for (const { instancePath, message = "" } of ajv.errors ?? []) {
    if (!errors.has(instancePath)) errors.set(instancePath, message);
  }
  throwFaults(
    [...errors].map(([pointer, message]) =>
      invalid(file, `is not a valid schema of draft 2020-12: ${message}`, pointer),
    ),
  );
}

function findEntryFaults(file: string, { anyOf = [], $defs = {} }: SchemaNode): FaultPlace[] {
  if (anyOf.length === 0)
    return [invalid(file, 'has no "anyOf" of the types that a line can have')];
  return anyOf.flatMap((member, index) => {
    if (Object.hasOwn($defs, toEntryType(member))) return [];
    const message = 'must be a "$ref" to a member of this file\'s "$defs"';
    return [invalid(file, message, `/anyOf/${index}`)];
  });
}

function toEntryType({ $ref = "" }: SchemaNode): string {
  return $ref.replace("#/$defs/", "");
}

function invalid(file: string, message: string, pointer = ""): FaultPlace {
  return { id: "schema", file, pointer, message };
}

/**
 * All schemas below `root`, sorted by name. Throws FileFault with the faults of all of them, so that nobody continues
 * with an incomplete set, and UserError as `loadSchemas` does.
 */
export function readSchemas(root: string): readonly SourceSchema[] {
  const { schemas, faults } = loadSchemas(root);
  throwFaults(faults);
  return schemas;
}
