import { type Approval, type ApprovalList, isApprovalList } from "#generated/index.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { type DataFile, readDataFile } from "../fixtures/load.js";
import type { Break } from "./breaks.js";

/** The breaks that are meant, from the repository's root. */
export const APPROVALS_FILE = "schema/approvals.json";

/** Reads the approvals below `root`, or what is wrong with their file. */
export function readApprovals(root: string): DataFile<ApprovalList> {
  return readDataFile(root, APPROVALS_FILE, "ApprovalList", isApprovalList);
}

/**
 * Approvals that are not in order on the day `today`: one that nothing needs, one that stands there twice, and one
 * that has expired. `needed` are the fingerprints of the breaks for which no version was raised.
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
      const message = `${fingerprint} is of no break that needs it: remove the approval`;
      return at("unused-approval", "fingerprint", message);
    }
    if (approvals.findIndex((other) => other.fingerprint === fingerprint) < index) {
      return at("unused-approval", "fingerprint", `${fingerprint} stands here twice: remove one`);
    }
    if (isInForce({ expires }, today)) return [];
    const message = `${fingerprint} was approved until ${expires}: raise the version, or ask ${owner} for another date`;
    return at("expired-approval", "expires", message);
  });
}

/** Whether an approval holds on a day: its last day is one of them. */
export function isInForce({ expires }: Pick<Approval, "expires">, today: string): boolean {
  // YYYY-MM-DD: the order of the texts is that of the days.
  return today <= expires;
}

/** A break for those who have to decide on it: the rule and the place, its fingerprint, and the proof. */
export function describeBreak({ rule, message, lens, fingerprint, detail }: Break): string {
  const lines = [`by ${lens}, fingerprint ${fingerprint}`, ...(detail?.split("\n") ?? [])];
  return [`${rule} ${message}`, ...lines.map((line) => `  ${line}`)].join("\n");
}
