import type { VersionComparison } from "../compat/compare-versions.js";
import { type LoadedVersions, placeChanges, toDiffFindings } from "../compat/to-diff-findings.js";

/** Changes that are told one by one. */
const MAX_CHANGES = 5;

/** What differs between a schema and its copy, with a record that proves each break. */
export function describeChanges({ changes }: VersionComparison, versions: LoadedVersions): string {
  const placed = placeChanges(changes, versions);
  const findings = placed
    .flatMap((change) => toDiffFindings(change, versions))
    .filter(({ lens }) => lens === "validate");
  const told = findings
    .slice(0, MAX_CHANGES)
    .flatMap(({ rule, message, detail }) => [
      `${rule}  ${message}`,
      ...(detail?.split("\n") ?? []),
    ]);
  const left = findings.length - MAX_CHANGES;
  return [...told, ...(left > 0 ? [`... and ${left} more`] : [])].join("\n");
}
