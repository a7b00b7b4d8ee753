import type { LoadedVersion } from "../../src/compat/load-version.js";
import { SchemaSet } from "../../src/compat/schema-set.js";
import { type JsonFile, readJsonFile } from "../../src/schemas/read-json-file.js";

/** A schema file that has been read. */
export interface SchemaFile extends JsonFile {
  /** From the repository's root. */
  readonly file: string;
}

/** A version of a schema of this repository, ready to be compared with another. */
export interface SchemaVersion extends SchemaFile, LoadedVersion {}

/** Reads a schema file of the repository at `root`. Throws as `readJsonFile` does. */
export function readSchemaFile(root: string, file: string): SchemaFile {
  return { file, ...readJsonFile(root, file) };
}

/**
 * A version with the `others` to which it may refer: of several with one `$id` the first counts, and none that
 * has the version's own.
 */
export function toSchemaVersion(version: SchemaFile, others: readonly SchemaFile[]): SchemaVersion {
  const set = new SchemaSet({ format: "assert" });
  const root = set.add(version.value, toUri(version.file), version.file);
  const known = new Set([root.uri]);
  for (const { file, value } of others) {
    if (typeof value.$id !== "string" || known.has(value.$id)) continue;
    known.add(value.$id);
    set.add(value, toUri(file), file);
  }
  const { file: name, text } = version;
  return { ...version, source: { name, text, others: [] }, root };
}

/** Of a document that has no `$id`. */
function toUri(file: string): string {
  return `schema:/${file}`;
}
