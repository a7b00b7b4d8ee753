import type { FormatUse } from "#generated/index.js";
import { UserError } from "../../base/user-error.js";
import { kindOf } from "./entry-points.js";
import { breakEndless } from "./schema/endless.js";
import { loadReferences, type ReferenceSource, type Unresolved } from "./schema/load-references.js";
import {
  describeFault,
  type ParsedSchema,
  type PartFault,
  parseSchema,
} from "./schema/parse-schema.js";
import { dialectFinder } from "./schema/schema-files.js";
import { childOf, type SchemaLocation, SchemaSet } from "./schema/schema-set.js";
import { subschemas } from "./schema/subschemas.js";
import { reachedFrom } from "./schema/walks.js";

/** The URI of a schema without `$id`, and of the folder that contains it. */
const BASE = "schema:/";

/** The text of a schema version, and other schemas that it may refer to. */
export interface SchemaSource extends ReferenceSource {
  /** The name of the file for messages. */
  readonly name: string;
  readonly text: string;
  /** Absolute path of the file, now or at a commit. Default: it is no file. */
  readonly origin?: string;
  /** JSON Pointer, after `#`, of the only schema to be compared. Default: the whole document. */
  readonly fragment?: string | undefined;
  /** Whether `format` is asserted in that file: see `FormatUses`. Default: it is an annotation. */
  readonly formats?: FormatUse;
}

/** A parsed schema version and its text. */
export interface LoadedVersion {
  readonly source: SchemaSource;
  readonly dialect: ParsedSchema["dialect"];
  /** The document. */
  readonly document: SchemaLocation;
  /** The schema to be compared: the document, or the part of it that the fragment names. */
  readonly root: SchemaLocation;
  /** What its records depend on and nobody has here. */
  readonly holes: readonly Unresolved[];
  /** Parts that their dialect does not allow, each with its place: nobody knows what they accept. */
  readonly faults: readonly string[];
}

interface LoadOptions {
  /** Whether parts that their dialect does not allow become holes; by default, the first one is an error. */
  readonly toleratesFaults?: boolean;
}

/**
 * Loads a schema version and the schemas that it refers to. `format` is asserted if the dialect says so, else as
 * `format` says, by default as its source does. A byte-order mark is ignored. Throws UserError (exit 3) if the text is not
 * JSON, not a schema of a supported dialect, or nested too deeply, and if a schema in a file beside it that its records need is
 * missing.
 */
export function loadVersion(
  given: SchemaSource,
  format: FormatUse = given.formats ?? "annotate",
  { toleratesFaults = false }: LoadOptions = {},
): LoadedVersion {
  const source = { ...given, text: given.text.replace(/^\ufeff/, "") };
  const { name, text, fragment } = source;
  const parts: PartFault[] = [];
  const options = toleratesFaults ? { faults: parts } : {};
  const find = dialectFinder(source, source.files?.path);
  const parsed = parseSchema(name, text, { ...options, find });
  const set = new SchemaSet({ format: parsed.dialect.assertsFormat ? "assert" : format });
  const document = set.add(parsed.schema, BASE, name);
  const unresolved = loadReferences(document, { ...parsed, ...options }, source);
  const endless = new Set(breakEndless(set).map(({ schema }) => schema));
  const root = fragment === undefined ? document : findPart(document, fragment);
  const reached = unresolved.size + endless.size === 0 ? [] : listReached(root);
  const open = reached.flatMap(({ uri }) => unresolved.get(uri) ?? []);
  const loops = reached
    .filter((each) => endless.has(each.schema))
    .map((each) => `${set.describe(each)}: refers to itself without end`);
  const fault = open.find((each) => each.fault !== undefined && !each.isWithin)?.fault;
  const within = [...open.flatMap((each) => (each.isWithin ? (each.fault ?? []) : [])), ...loops];
  const error = fault ?? (toleratesFaults ? undefined : within[0]);
  if (error !== undefined) throw new UserError(error);
  const faults = [...parts.map(describeFault), ...within];
  const holes = open.filter((each) => each.fault === undefined);
  return { source, dialect: parsed.dialect, document, root, holes, faults };
}

function findPart(document: SchemaLocation, fragment: string): SchemaLocation {
  const found = document.set.findWithin(document, `#${fragment}`);
  if (typeof found === "object") return found;
  throw new UserError(`${document.set.describe(document)}: has no schema at #${fragment}`);
}

/** The schemas that records may reach. Of a document that only holds definitions, each of these is a type of records. */
function listReached(root: SchemaLocation): SchemaLocation[] {
  const isCollection = kindOf(root) === "collection";
  const definitions = subschemas(root.schema).map(([pointer]) => childOf(root, pointer));
  return [...reachedFrom(isCollection ? definitions : [root]).values()];
}
