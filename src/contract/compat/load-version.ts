import { LinkedFiles, type SchemaFiles } from "./schema/link-files.js";
import { type ParsedSchema, parseSchema, tryToParseSchema } from "./schema/parse-schema.js";
import { type FormatMode, type SchemaLocation, SchemaSet } from "./schema/schema-set.js";

/** The URI of a schema without `$id`, and of the folder that contains it. */
const BASE = "schema:/";

/** The text of a schema version, and of other schemas that it may refer to. */
export interface SchemaSource {
  /** The name of the file for messages. */
  readonly name: string;
  readonly text: string;
  /** The texts of schemas that a reference may name by `$id`; of several with the same `$id`, the first counts. */
  readonly others: readonly string[];
  /** The files that a reference may name by their path. Default: none. */
  readonly files?: SchemaFiles;
  /** Absolute path of the file, now or at a commit. Default: it is no file. */
  readonly origin?: string;
  /** JSON Pointer, after `#`, of the only schema to be compared. Default: the whole document. */
  readonly fragment?: string | undefined;
}

/** A parsed schema version and its text. */
export interface LoadedVersion {
  readonly source: SchemaSource;
  readonly dialect: ParsedSchema["dialect"];
  /** The document. */
  readonly document: SchemaLocation;
  /** The schema to be compared: the document, or the part of it that the fragment names. */
  readonly root: SchemaLocation;
}

/**
 * Loads a schema version and the schemas that it may refer to. By default, `format` is an assertion, as for the
 * validators of this package. A byte-order mark is ignored. Throws UserError (exit 3) if the text is not JSON, not a
 * schema of a supported dialect, or nested too deeply.
 */
export function loadVersion(given: SchemaSource, format: FormatMode = "assert"): LoadedVersion {
  const source = { ...given, text: given.text.replace(/^\ufeff/, "") };
  const { name, text, others, files, fragment } = source;
  const { schema, dialect } = parseSchema(name, text);
  const set = new SchemaSet({ format });
  const document = set.add(schema, BASE, name);
  const linked = files && new LinkedFiles(document, files, dialect);
  linked?.addBeside();
  for (const [index, other] of others.entries()) {
    const parsed = tryToParseSchema(other, dialect)?.schema;
    const id = typeof parsed === "object" ? parsed.$id : undefined;
    if (parsed === undefined || typeof id !== "string" || set.knows(document, id)) continue;
    set.add(parsed, `${BASE}${index}`, id);
  }
  linked?.link();
  const root = fragment === undefined ? document : set.resolve(document, `#${fragment}`);
  return { source, dialect, document, root };
}
