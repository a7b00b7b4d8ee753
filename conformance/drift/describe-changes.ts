import type { VersionComparison } from "../compat/compare-versions.js";
import { type LoadedVersions, placeChanges, toDiffFindings } from "../compat/to-diff-findings.js";

/** Changes that are told one by one. */
const MAX_CHANGES = 5;

export interface DescribedChanges {
  /** JSON Pointer into the copy: the first place that differs. */
  readonly pointer: string;
  /** What differs, with a record that proves each break. */
  readonly detail: string;
}

/** What breaks between a schema and its copy, which is the new version. */
export function describeChanges(
  { changes }: VersionComparison,
  versions: LoadedVersions,
): DescribedChanges {
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
  const lines = [...told, ...(left > 0 ? [`... and ${left} more`] : [])];
  return { pointer: findings[0]?.pointer ?? "", detail: lines.join("\n") };
}
