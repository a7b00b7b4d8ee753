import { findRegistryFaults } from "../../conformance/registry/find-registry-faults.js";
import { findReleasedFaults } from "../../conformance/registry/find-released-faults.js";
import { describeBreak } from "../../conformance/versions/approvals.js";
import { requiredBump, type SchemaChange } from "../../conformance/versions/changes.js";
import { checkVersions } from "../../conformance/versions/faults.js";
import { type Finding, toFindings } from "../../src/base/findings/finding.js";
import { listChangedDefinitions } from "../../src/contract/compat/changed-definitions.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { toReleasedFile } from "../../src/contract/schemas/releases.js";
import { nextVersion, parseVersion, printVersion } from "../../src/contract/schemas/version.js";
import type { PlannedRelease } from "./requirement.js";
import { requirements } from "./requirements/index.js";

export interface ReleasePlan {
  /** The schemas that differ from their last published version. */
  readonly releases: readonly PlannedRelease[];
  /** Fingerprints of the approvals that the releases use up. */
  readonly approved: ReadonlySet<string>;
  /** Everything that is missing. */
  readonly findings: readonly Finding[];
  /** What was verified, or will be written. */
  readonly shown: readonly string[];
}

/** Plans to publish every changed schema below `root`, on the date `today` (YYYY-MM-DD). Throws UserError. */
export async function planReleases(root: string, today: string): Promise<ReleasePlan> {
  const registry = readRegistry(root);
  const faults = [
    ...findRegistryFaults(root, registry),
    ...findReleasedFaults(root, registry).filter(({ id }) => id !== "unpublished"),
  ];
  // If published versions are missing or modified, no other finding would be reliable.
  if (faults.length > 0) {
    return { releases: [], approved: new Set(), findings: toFindings(root, faults), shown: [] };
  }
  const { changes, approved, findings } = checkVersions(root, registry, today);
  const releases = changes.flatMap((change) => toRelease(change, approved) ?? []);
  const fulfilments = await Promise.all(
    releases.flatMap((release) =>
      requirements.map((requirement) => requirement.check(root, release)),
    ),
  );
  return {
    releases,
    approved,
    findings: [...findings, ...fulfilments.flatMap((each) => each.findings)],
    shown: fulfilments.flatMap(({ shown }) => shown ?? []),
  };
}

/**
 * The release of a changed schema; undefined for an unchanged one. It has the version from the registry, or
 * if that is too low, the lowest sufficient one, so that all missing parts can be reported at once.
 */
export function toRelease(
  change: SchemaChange,
  approved: ReadonlySet<string>,
): PlannedRelease | undefined {
  const { entry, isChanged, last, present } = change;
  if (!isChanged) return undefined;
  const definitions = listChangedDefinitions(last?.value, present.value);
  const plan = (bump: PlannedRelease["bump"], version: string): PlannedRelease => {
    const file = toReleasedFile(entry.name, parseVersion(version));
    return { change, bump, version, file, definitions };
  };
  if (last === undefined) return plan("first", "1.0.0");
  const required = requiredBump(change, approved);
  const { bump, version } = nextVersion(last.version, required, parseVersion(entry.version));
  return plan(bump, printVersion(version));
}

/** The file that is published, its effect on users of the schema, and what it breaks. */
export function describeRelease({ bump, change, file, version }: PlannedRelease): string {
  const { breaks, entry, last } = change;
  const after = last === undefined ? "" : ` after ${printVersion(last.version)}`;
  const lines = breaks.flatMap((each) => describeBreak(each).split("\n"));
  return [
    `${entry.name} ${version} (${bump}${after}): ${file}`,
    ...lines.map((line) => `  ${line}`),
  ].join("\n");
}
