import { compareVersions, type VersionComparison } from "../../compat/compare-versions.js";
import { type LoadedVersions, type PlacedChange, placeChanges } from "../../compat/findings.js";
import { loadVersion, type SchemaSource } from "../../compat/load-version.js";
import type { FormatMode } from "../../compat/schema-set.js";

/** Two versions of a schema, and what is between them. */
export interface ComparedSources {
  readonly versions: LoadedVersions;
  readonly comparison: VersionComparison;
  readonly changes: readonly PlacedChange[];
}

/** Compares two versions of a schema. Throws UserError (exit 3) for what is no schema of draft 2020-12. */
export function compareSources(
  before: SchemaSource,
  after: SchemaSource,
  format: FormatMode,
): ComparedSources {
  const versions = { old: loadVersion(before, format), new: loadVersion(after, format) };
  const comparison = compareVersions(versions.old.root, versions.new.root);
  return { versions, comparison, changes: placeChanges(comparison.changes, versions) };
}
