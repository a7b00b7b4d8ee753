import type { Finding } from "../../src/findings/finding.js";
import { toFindings } from "../../src/findings/finding.js";
import type { Registry } from "../../src/schemas/registry.js";
import { findApprovalFaults, isInForce } from "./find-approval-faults.js";
import { findVersionFaults } from "./find-version-faults.js";
import { readApprovals } from "./read-approvals.js";
import { readChanges } from "./read-changes.js";
import { isCovered, type SchemaChange } from "./schema-change.js";

/** Whether the versions in the registry are what has become of the schemas. */
export interface VersionJudgement {
  /** One for every schema. */
  readonly changes: readonly SchemaChange[];
  /** Fingerprints of the breaks that are approved, each needed. */
  readonly approved: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * Judges the versions of all schemas below `root`, and the approvals, on the day `today` (YYYY-MM-DD). Throws as
 * `readChanges` does.
 */
export function judgeVersions(root: string, registry: Registry, today: string): VersionJudgement {
  const changes = readChanges(root, registry);
  const needed = new Set(changes.flatMap(listUncovered));
  const book = readApprovals(root);
  const approvals = "findings" in book ? [] : book.value.approvals;
  const inForce = approvals.filter((approval) => isInForce(approval, today));
  const approved = new Set(
    inForce.map(({ fingerprint }) => fingerprint).filter((fingerprint) => needed.has(fingerprint)),
  );
  const faults = [
    ...changes.flatMap((change) => findVersionFaults(change, approved)),
    ...findApprovalFaults(approvals, needed, today),
  ];
  const unreadable = "findings" in book ? book.findings : [];
  return { changes, approved, findings: [...toFindings(root, faults), ...unreadable] };
}

/** Fingerprints of the breaks that call for more than the version was raised by. */
function listUncovered(change: SchemaChange): string[] {
  return change.breaks
    .filter((each) => !isCovered(change, each))
    .map(({ fingerprint }) => fingerprint);
}

/** The day that it is, in UTC, as YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
