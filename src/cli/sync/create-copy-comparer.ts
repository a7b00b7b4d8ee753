import type { VersionComparison } from "../../compat/compare-versions.js";
import type { Canonical } from "../../drift/canonical.js";
import { compareTexts } from "../../drift/sync/copies.js";
import type { PlannedCopy } from "../../drift/sync/plan.js";

/**
 * Compares what copies mean with what they are to mean: schemas by their texts, and what is made from them by the
 * schema's versions, each pair of versions once.
 */
export function createCopyComparer(
  canonical: Canonical,
): (copy: PlannedCopy) => VersionComparison | undefined {
  const others = canonical.schemaTexts();
  const known = new Map<string, VersionComparison | undefined>();
  return ({ artefact, copy, wanted, locked }) => {
    const { kind, schema, version } = artefact;
    if (kind === "schema") {
      const [before, after] = [copy?.toString("utf8"), wanted?.toString("utf8")];
      if (before === undefined || after === undefined) return undefined;
      return compareTexts({ before, after, others });
    }
    if (locked === undefined || locked.version === version) return undefined;
    const key = JSON.stringify([schema, locked.version, version]);
    if (known.has(key)) return known.get(key);
    const before = canonical.version(schema, locked.version)?.text;
    const after = canonical.version(schema, version)?.text;
    const comparison =
      before === undefined || after === undefined
        ? undefined
        : compareTexts({ before, after, others });
    known.set(key, comparison);
    return comparison;
  };
}
