import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { toTextPosition } from "../../../base/findings/finding.js";
import { isJsonObject } from "../../../base/json/value.js";
import { formatBytes, previewValue } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import {
  DIALECT_URIS,
  type Dialect,
  DRAFT_2020_12,
  findDialect,
  upgradeSchema,
} from "./dialects.js";
import { recordExactNumbers } from "./exact-numbers.js";
import { isSchema, type Schema, subschemas } from "./schema-set.js";

/** Largest schema, in bytes of a file or characters of a text: thousands of record types. */
export const MAX_SCHEMA_LENGTH = 16 * 2 ** 20;

/** The error for a larger schema. `size` is in bytes or characters. */
export function tooLarge(name: string, size: number): UserError {
  const [is, limit] = [size, MAX_SCHEMA_LENGTH].map(formatBytes);
  return new UserError(`${name}: has ${is}: schemas of up to ${limit} can be compared`);
}

/** A schema as draft 2020-12 expresses it, and the dialect in which it is written. */
export interface ParsedSchema {
  readonly schema: Schema;
  readonly dialect: Dialect;
}

/**
 * Parses a schema. `fallback` is the dialect of a schema without `$schema`. A byte-order mark is ignored. Throws
 * UserError (exit 3) if the text is not JSON, not a schema of its dialect, too large, or nested too deeply.
 */
export function parseSchema(name: string, text: string, fallback = DRAFT_2020_12): ParsedSchema {
  if (text.length > MAX_SCHEMA_LENGTH) throw tooLarge(name, text.length);
  const value = parseText(name, text.replace(/^\ufeff/, ""));
  if (!isSchema(value))
    throw new UserError(`${name}: is not a schema: neither an object nor a boolean`);
  const dialect = dialectOf(value, fallback);
  if (dialect === undefined) {
    const uri = String(Object(value).$schema);
    const known = DIALECT_URIS.join(", ");
    throw new UserError(`${name}: has the dialect ${uri}: only these are supported: ${known}`);
  }
  requireValid(name, value, dialect);
  const schema = upgradeSchema(value, dialect);
  requirePatterns(name, schema);
  return { schema, dialect };
}

/**
 * The same for a schema that may not be needed: undefined if it cannot be read. Whether it is valid is not checked:
 * nothing may refer to its faults.
 */
export function tryToParseSchema(text: string, fallback: Dialect): ParsedSchema | undefined {
  const value = tryToParseText(text);
  if (!isSchema(value)) return undefined;
  const dialect = dialectOf(value, fallback);
  return dialect && { schema: upgradeSchema(value, dialect), dialect };
}

function dialectOf(schema: Schema, fallback: Dialect): Dialect | undefined {
  const uri = typeof schema === "object" ? schema.$schema : undefined;
  return uri === undefined ? fallback : findDialect(String(uri));
}

/** Shared, because compiling a metaschema takes longer than validating by it. */
const metaschemas = new Map<Dialect, Ajv>();

function metaschemaOf(dialect: Dialect): Ajv {
  const known = metaschemas.get(dialect) ?? createMetaschema(dialect);
  metaschemas.set(dialect, known);
  return known;
}

function createMetaschema({ name }: Dialect): Ajv {
  const options = {
    strict: false,
    logger: false,
    validateFormats: false,
    code: { optimize: false },
  } as const;
  if (name === "2020-12") return new Ajv2020(options);
  // The metaschema of draft-07 only adds keywords to that of draft-06.
  return name === "2019-09" ? new Ajv2019(options) : new Ajv(options);
}

function requireValid(name: string, schema: Schema, dialect: Dialect): void {
  const ajv = metaschemaOf(dialect);
  // Ajv would look for the metaschema that `$schema` names.
  const plain = typeof schema === "boolean" ? schema : { ...schema, $schema: undefined };
  if (ajv.validateSchema(plain) === true) return;
  const { instancePath = "", message } = ajv.errors?.[0] ?? {};
  throw new UserError(
    `${name} ${instancePath}: is not a schema of ${describeDialect(dialect)}: ${message}`,
  );
}

/** The name of a dialect as people write it. */
export function describeDialect({ name }: Dialect): string {
  return name.startsWith("draft") ? name : `draft ${name}`;
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
    return parseExactly(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { id, offset, message } = error.fault;
    if (id === "depth") throw new UserError(`${name}: ${message}`);
    const { line, column } = toTextPosition(text, offset);
    throw new UserError(`${name}:${line}:${column}  ${error.message}`);
  }
}

function tryToParseText(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

function parseExactly(text: string): unknown {
  const value = parseJsonText(text);
  recordExactNumbers(text, value);
  return value;
}
