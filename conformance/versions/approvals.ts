import { type Approval, type ApprovalList, isApprovalList } from "#generated/index.js";
import type { FaultPlace } from "../../src/base/findings/finding.js";
import { type DataFile, readDataFile } from "../fixtures/load.js";
import type { Break } from "./breaks.js";

/** The approved breaks, from the repository's root. */
export const APPROVALS_FILE = "schema/approvals.json";

/** Reads the approvals below `root`; returns findings if the file is invalid. */
export function readApprovals(root: string): DataFile<ApprovalList> {
  return readDataFile(root, APPROVALS_FILE, "ApprovalList", isApprovalList);
}

/**
 * Invalid approvals on the date `today`: unneeded, duplicate or expired ones. `needed` are the fingerprints
 * of the breaks that the version does not cover.
 */
export function findApprovalFaults(
  approvals: readonly Approval[],
  needed: ReadonlySet<string>,
  today: string,
): FaultPlace[] {
  return approvals.flatMap(({ fingerprint, owner, expires }, index): FaultPlace[] => {
    const at = (id: string, field: keyof Approval, message: string): FaultPlace[] => [
      { id, file: APPROVALS_FILE, pointer: `/approvals/${index}/${field}`, message },
    ];
    if (!needed.has(fingerprint)) {
      const message = `${fingerprint} approves no current break: remove the approval`;
      return at("unused-approval", "fingerprint", message);
    }
    if (approvals.findIndex((other) => other.fingerprint === fingerprint) < index) {
      return at("unused-approval", "fingerprint", `${fingerprint} is a duplicate: remove one`);
    }
    if (isInForce({ expires }, today)) return [];
    const message = `${fingerprint} was approved until ${expires}: raise the version, or ask ${owner} for another date`;
    return at("expired-approval", "expires", message);
  });
}

/** Whether an approval is valid on a date; `expires` is the last valid day. */
export function isInForce({ expires }: Pick<Approval, "expires">, today: string): boolean {
  // YYYY-MM-DD sorts chronologically as text.
  return today <= expires;
}

/** A break as text for whoever approves it: rule and place, fingerprint, and proof. */
export function describeBreak({ rule, message, lens, fingerprint, detail }: Break): string {
  const lines = [`by ${lens}, fingerprint ${fingerprint}`, ...(detail?.split("\n") ?? [])];
  return [`${rule} ${message}`, ...lines.map((line) => `  ${line}`)].join("\n");
}
