import { Ajv2020 } from "ajv/dist/2020.js";
import { toTextPosition } from "../findings/finding.js";
import { isJsonObject } from "../json/value.js";
import { JsonTextError, parseJsonText } from "../schemas/json-text.js";
import { previewValue } from "../text.js";
import { UserError } from "../user-error.js";
import {
  type FormatMode,
  isSchema,
  type Schema,
  type SchemaLocation,
  SchemaSet,
  subschemas,
} from "./schema/schema-set.js";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Of a schema that has no `$id`. */
const BASE = "schema:/";

/** A schema as it is at some place and time, with the others to which it may refer. */
export interface SchemaSource {
  /** The file, as the user named it or as its place is called. */
  readonly name: string;
  readonly text: string;
  /** Texts of other schemas, the closest first. */
  readonly others: readonly string[];
}

/** A version of a schema, and the text that it was read from. */
export interface LoadedVersion {
  readonly source: SchemaSource;
  readonly root: SchemaLocation;
}

/**
 * A version of a schema, with all that it may refer to; `format` is by default what it is to the validators of this
 * package. A byte-order mark is passed over. Throws UserError (exit 3) when it is not JSON, no schema of draft
 * 2020-12, or nested too deep.
 */
export function loadVersion(given: SchemaSource, format: FormatMode = "assert"): LoadedVersion {
  const source = { ...given, text: given.text.replace(/^\ufeff/, "") };
  const { name, text, others } = source;
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

/** Judges every schema of a run: it compiles the metaschema, which takes longer than to judge by it. */
let metaschema: Ajv2020 | undefined;

function createMetaschemaAjv(): Ajv2020 {
  const code = { optimize: false };
  return new Ajv2020({ strict: false, logger: false, validateFormats: false, code });
}

function parseSchema(name: string, text: string): Schema {
  const value = parseText(name, text);
  if (!isSchema(value))
    throw new UserError(`${name}: is no schema: neither an object nor a boolean`);
  const dialect = typeof value === "object" ? value.$schema : undefined;
  // An empty fragment is the whole document.
  if (dialect !== undefined && String(dialect).replace(/#$/, "") !== DIALECT) {
    throw new UserError(`${name}: is a schema of ${String(dialect)}: only ${DIALECT} is read`);
  }
  metaschema ??= createMetaschemaAjv();
  if (metaschema.validateSchema(value) === true) {
    requirePatterns(name, value);
    return value;
  }
  const { instancePath = "", message } = metaschema.errors?.[0] ?? {};
  throw new UserError(`${name} ${instancePath}: is no schema of draft 2020-12: ${message}`);
}

/** Patterns are those of ECMAScript with Unicode, as every validator of this package reads them. */
function requirePatterns(name: string, schema: Schema, pointer = ""): void {
  if (typeof schema === "boolean") return;
  const { pattern, patternProperties } = schema;
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
  for (const text of typeof pattern === "string" ? [pattern, ...named] : named) {
    try {
      new RegExp(text, "u");
    } catch {
      throw new UserError(
        `${name} ${pointer}: ${previewValue(text)} is no pattern of ECMAScript (flag u)`,
      );
    }
  }
  for (const [below, child] of subschemas(schema)) requirePatterns(name, child, pointer + below);
}

/** As for the hashes: what readers may see otherwise, such as a key that stands there twice, is refused. */
function parseText(name: string, text: string): unknown {
  try {
    return parseJsonText(text);
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
    return isSchema(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
