import { toTextPosition } from "../../../base/findings/finding.js";
import { formatBytes } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { JsonTextError, parseJsonText } from "../../schemas/json-text.js";
import {
  DIALECT_URIS,
  type Dialect,
  DRAFT_2020_12,
  type FindDialect,
  findDialect,
  upgradeSchema,
} from "./dialects.js";
import { recordExactNumbers } from "./exact-numbers.js";
import { digHole, findFaults } from "./faults.js";
import { isSchema, type Schema } from "./subschemas.js";

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

/** A part of a document that its dialect does not allow. */
export interface PartFault {
  /** Of the document. */
  readonly name: string;
  /** JSON Pointer in its text. */
  readonly pointer: string;
  /** A sentence that follows the place. */
  readonly message: string;
}

/** A fault with its place, as one line. */
export function describeFault({ name, pointer, message }: PartFault): string {
  return `${`${name} ${pointer}`.trim()}: ${message}`;
}

export interface ParseOptions {
  /** The dialect of a schema without `$schema`. */
  readonly fallback?: Dialect;
  /** Collects the faults of single keywords, which then become holes. By default the first one is an error. */
  readonly faults?: PartFault[] | undefined;
  /** Default: only the drafts are known. */
  readonly find?: FindDialect;
}

/**
 * Parses a schema. A byte-order mark is ignored. Throws UserError (exit 3) if the text is not JSON, not a schema of its
 * dialect, too large, or nested too deeply.
 */
export function parseSchema(
  name: string,
  text: string,
  { fallback = DRAFT_2020_12, faults, find = findDialect }: ParseOptions = {},
): ParsedSchema {
  if (text.length > MAX_SCHEMA_LENGTH) throw tooLarge(name, text.length);
  const value = parseText(name, text.replace(/^\ufeff/, ""));
  if (!isSchema(value))
    throw new UserError(`${name}: is not a schema: neither an object nor a boolean`);
  const dialect = dialectOf(value, fallback, find);
  if (dialect === undefined) {
    const uri = String(Object(value).$schema);
    const known = DIALECT_URIS.join(", ");
    throw new UserError(
      `${name}: has the dialect ${uri}: only these are supported, and those whose metaschema is among the files (--schemas): ${known}`,
    );
  }
  return { schema: settleFaults(value, { name, dialect, faults, find }), dialect };
}

interface FaultContext extends Pick<ParsedSchema, "dialect">, Omit<ParseOptions, "fallback"> {
  /** Of the document, for messages. */
  readonly name: string;
  /** JSON Pointer to the schema in it. */
  readonly at?: string;
}

/**
 * A schema as draft 2020-12 expresses it, with holes in place of what its dialect does not allow, if `faults` collects that.
 * Throws UserError (exit 3) for the first fault if nothing collects them.
 */
export function settleFaults(
  schema: Schema,
  { name, at = "", dialect, faults, find = findDialect }: FaultContext,
): Schema {
  const found = findFaults(schema, dialect, find);
  const parts = found.map(({ pointer, message }) => ({
    name,
    pointer: at + pointer,
    message: `is not a schema of ${describeDialect(dialect)}: ${message}`,
  }));
  if (faults === undefined && parts[0] !== undefined) throw new UserError(describeFault(parts[0]));
  faults?.push(...parts);
  for (const { pointer } of found) digHole(schema, pointer);
  return upgradeSchema(schema, dialect, find);
}

/**
 * The same for a schema that may not be needed: undefined if it is none. Neither its dialect nor whether it is valid is
 * checked: nothing may refer to its faults.
 */
export function tryToParseSchema(text: string, fallback: Dialect): Schema | undefined {
  const value = tryToParseText(text);
  if (!isSchema(value)) return undefined;
  return upgradeSchema(value, dialectOf(value, fallback, findDialect) ?? fallback, findDialect);
}

function dialectOf(schema: Schema, fallback: Dialect, find: FindDialect): Dialect | undefined {
  const uri = typeof schema === "object" ? schema.$schema : undefined;
  return uri === undefined ? fallback : find(String(uri));
}

/** The name of a dialect as people write it. */
export function describeDialect({ name }: Dialect): string {
  return name.startsWith("draft") ? name : `draft ${name}`;
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
