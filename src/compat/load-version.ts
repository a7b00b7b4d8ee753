import { Ajv2020 } from "ajv/dist/2020.js";
import { toTextPosition } from "../findings/finding.js";
import { isJsonObject } from "../json/value.js";
import { JsonTextError, parseJsonText } from "../schemas/json-text.js";
import { formatBytes, previewValue } from "../text.js";
import { UserError } from "../user-error.js";
import { recordExactNumbers } from "./schema/exact-numbers.js";
import {
  type FormatMode,
  isSchema,
  type Schema,
  type SchemaLocation,
  SchemaSet,
  subschemas,
} from "./schema/schema-set.js";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** The URI of a schema without `$id`. */
const BASE = "schema:/";

/** Largest schema, in bytes of a file or characters of a text: thousands of record types. */
export const MAX_SCHEMA_LENGTH = 16 * 2 ** 20;

/** The error for a larger schema. `size` is in bytes or characters. */
export function tooLarge(name: string, size: number): UserError {
  const [is, limit] = [size, MAX_SCHEMA_LENGTH].map(formatBytes);
  return new UserError(`${name}: has ${is}: schemas of up to ${limit} can be compared`);
}

/** The text of a schema version, and of other schemas that it may refer to. */
export interface SchemaSource {
  /** The name of the file for messages. */
  readonly name: string;
  readonly text: string;
  /** The texts of other schemas; of several with the same `$id`, the first counts. */
  readonly others: readonly string[];
}

/** A parsed schema version and its text. */
export interface LoadedVersion {
  readonly source: SchemaSource;
  readonly root: SchemaLocation;
}

/**
 * Loads a schema version and the schemas that it may refer to. By default, `format` is an assertion, as for the
 * validators of this package. A byte-order mark is ignored. Throws UserError (exit 3) if the text is not JSON, not a
 * schema of draft 2020-12, or nested too deeply.
 */
export function loadVersion(given: SchemaSource, format: FormatMode = "assert"): LoadedVersion {
  const source = { ...given, text: given.text.replace(/^\ufeff/, "") };
  const { name, text, others } = source;
  if (text.length > MAX_SCHEMA_LENGTH) throw tooLarge(name, text.length);
  const set = new SchemaSet({ format });
  const root = set.add(parseSchema(name, text), BASE, name);
  const known = new Set([root.uri]);
  for (const [index, other] of others.entries()) {
    const document = tryToParse(other);
    const id = typeof document === "object" ? document.$id : undefined;
    if (document === undefined || typeof id !== "string" || known.has(id)) continue;
    known.add(id);
    set.add(document, `${BASE}${index}`, id);
  }
  return { source, root };
}

/** Shared, because compiling the metaschema takes longer than validating by it. */
let metaschema: Ajv2020 | undefined;

function createMetaschemaAjv(): Ajv2020 {
  const code = { optimize: false };
  return new Ajv2020({ strict: false, logger: false, validateFormats: false, code });
}

function parseSchema(name: string, text: string): Schema {
  const value = parseText(name, text);
  if (!isSchema(value))
    throw new UserError(`${name}: is not a schema: neither an object nor a boolean`);
  const dialect = typeof value === "object" ? value.$schema : undefined;
  // An empty fragment is the whole document.
  if (dialect !== undefined && String(dialect).replace(/#$/, "") !== DIALECT) {
    throw new UserError(
      `${name}: has the dialect ${String(dialect)}: only ${DIALECT} is supported`,
    );
  }
  metaschema ??= createMetaschemaAjv();
  if (metaschema.validateSchema(value) === true) {
    requirePatterns(name, value);
    return value;
  }
  const { instancePath = "", message } = metaschema.errors?.[0] ?? {};
  throw new UserError(`${name} ${instancePath}: is not a schema of draft 2020-12: ${message}`);
}

/** Patterns must be ECMAScript patterns with the flag `u`, as the validators of this package compile them. */
function requirePatterns(name: string, schema: Schema, pointer = ""): void {
  if (typeof schema === "boolean") return;
  const { pattern, patternProperties } = schema;
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  for (const text of typeof pattern === "string" ? [pattern, ...named] : named) {
    try {
      new RegExp(text, "u");
    } catch {
      throw new UserError(
        `${name} ${pointer}: ${previewValue(text)} is not an ECMAScript pattern (flag u)`,
      );
    }
  }
  for (const [below, child] of subschemas(schema)) requirePatterns(name, child, pointer + below);
}

/** As strict as for hashes: texts that readers may interpret differently, such as repeated keys, are refused. */
function parseText(name: string, text: string): unknown {
  try {
    const value = parseJsonText(text);
    recordExactNumbers(text, value);
    return value;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { id, offset, message } = error.fault;
    if (id === "depth") throw new UserError(`${name}: ${message}`);
    const { line, column } = toTextPosition(text, offset);
    throw new UserError(`${name}:${line}:${column}  ${error.message}`);
  }
}

function tryToParse(text: string): Schema | undefined {
  try {
    const value = parseJsonText(text);
    recordExactNumbers(text, value);
    return isSchema(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
