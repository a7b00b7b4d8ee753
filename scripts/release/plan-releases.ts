import { toFindings } from "../../conformance/findings/file-fault.js";
import type { Finding } from "../../conformance/findings/finding.js";
import { judgeVersions } from "../../conformance/governance/judge-versions.js";
import type { SchemaChange } from "../../conformance/governance/schema-change.js";
import { findRegistryFaults } from "../../conformance/registry/find-registry-faults.js";
import { findReleasedFaults } from "../../conformance/registry/find-released-faults.js";
import { readRegistry } from "../../conformance/registry/read-registry.js";
import { toReleasedFile } from "../../conformance/registry/released-file.js";
import { bumpBetween, parseVersion } from "../../conformance/registry/version.js";
import { listChangedDefinitions } from "./list-changed-definitions.js";
import type { PlannedRelease } from "./requirement.js";
import { requirements } from "./requirements/index.js";

export interface ReleasePlan {
  /** The schemas that are not what was last published; those whose version does not fit are left out. */
  readonly releases: readonly PlannedRelease[];
  /** Fingerprints of the approvals that the releases use up. */
  readonly approved: ReadonlySet<string>;
  /** What is missing, all at once. */
  readonly findings: readonly Finding[];
}

/** Plans to publish every schema below `root` that has changed, on the day `today` (YYYY-MM-DD). Throws UserError. */
export async function planReleases(root: string, today: string): Promise<ReleasePlan> {
  const registry = readRegistry(root);
  const faults = [
    ...findRegistryFaults(root, registry),
    ...findReleasedFaults(root, registry).filter(({ id }) => id !== "unpublished"),
  ];
  // Nothing can be said of versions that are not there, or not what they were.
  if (faults.length > 0) {
    return { releases: [], approved: new Set(), findings: toFindings(root, faults) };
  }
  const { changes, approved, findings } = judgeVersions(root, registry, today);
  const releases = changes.flatMap(toRelease);
  const missing = await Promise.all(
    releases.flatMap((release) =>
      requirements.map((requirement) => requirement.find(root, release)),
    ),
  );
  return { releases, approved, findings: [...findings, ...missing.flat()] };
}

function toRelease(change: SchemaChange): PlannedRelease[] {
  const { entry, isChanged, last, present } = change;
  const version = parseVersion(entry.version);
  const bump = last === undefined ? "first" : bumpBetween(last.version, version);
  if (!isChanged || bump === undefined || bump === "none") return [];
  const definitions = listChangedDefinitions(last?.value, present.value);
  return [{ change, bump, file: toReleasedFile(entry.name, version), definitions }];
}
