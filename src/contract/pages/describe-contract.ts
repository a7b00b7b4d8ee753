import { describeChanges } from "../compat/changelog-entry.js";
import { compareVersions } from "../compat/compare-versions.js";
import { placeChanges } from "../compat/findings.js";
import { loadVersion } from "../compat/load-version.js";
import type { Canonical } from "../drift/canonical.js";
import type { ContractIndex, SchemaComparison } from "./contract-data.js";
import { describeComparison, describeFirst } from "./describe-comparison.js";
import { describeSchemas, type SchemaVersions } from "./describe-schemas.js";
import { readSuites } from "./examples.js";

/** Everything about the schemas of a registry: their types, their versions, and what each version changed. */
export function describeContract(
  canonical: Canonical,
): Pick<ContractIndex, "schemas" | "comparisons"> {
  const shared = { others: canonical.schemaTexts(), formats: canonical.formatUse };
  const versions = canonical.registry.schemas.map((entry) => ({
    entry,
    known: canonical.versionsOf(entry.name).map((each) => ({
      ...each,
      loaded: loadVersion({ name: each.file, text: each.text, ...shared }),
    })),
  }));
  return {
    schemas: describeSchemas(versions, readSuites(canonical.root)),
    comparisons: versions.flatMap(compareAll),
  };
}

/** Compares each version with the one before it. */
function compareAll({ entry: { name }, known }: SchemaVersions): SchemaComparison[] {
  return known.map((each, index) => {
    const before = known[index + 1];
    if (before === undefined) return describeFirst(name, each.version, each.loaded);
    const versions = { old: before.loaded, new: each.loaded };
    const comparison = compareVersions(versions.old.root, versions.new.root);
    const subject = { name, from: before.version, to: each.version };
    return describeComparison({
      id: `${name}/${each.version}`,
      subject,
      status: "changed",
      versions,
      comparison,
      changes: placeChanges(comparison.changes, versions),
      entry: describeChanges(subject, versions, comparison),
    });
  });
}
