import {
  compareVersions,
  type VersionComparison,
} from "../../../conformance/compat/compare-versions.js";
import { loadVersion, type SchemaSource } from "../../../conformance/compat/load-version.js";
import type { Finding } from "../../../conformance/findings/finding.js";
import { toFindings } from "./to-findings.js";

export interface ComparedSources extends VersionComparison {
  readonly findings: readonly Finding[];
}

/** Compares two versions of a schema. Throws UserError (exit 3) for what is no schema of draft 2020-12. */
export function compareSources(before: SchemaSource, after: SchemaSource): ComparedSources {
  const versions = {
    old: { source: before, root: loadVersion(before) },
    new: { source: after, root: loadVersion(after) },
  };
  const comparison = compareVersions(versions.old.root, versions.new.root);
  return { ...comparison, findings: toFindings(comparison, versions) };
}
