import type { Approval } from "#generated/index.js";
import type { FaultPlace } from "../../src/findings/finding.js";
import { APPROVALS_FILE } from "./read-approvals.js";

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
