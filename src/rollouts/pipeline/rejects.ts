import { groupBy } from "../../base/group-by.js";
import { isJsonObject } from "../../base/json/value.js";
import { MAX_REJECT_FINDINGS, type RejectFault } from "../../base/run/rejects.js";
import {
  createLineRedactor,
  createMessageRedactor,
  type RedactionPlan,
} from "../capture/redact/line-redactor.js";
import type { BranchFault } from "../wire/validation/check-record.js";

/**
 * Creates a function that gives the faults of a rollout as the reject of one of its branches lists them: those of
 * other branches with the place of their line, and if there are too many, its own first.
 */
export function createFaultLists(
  faults: readonly BranchFault[],
  placeOf: (branch: number) => { readonly file: string; readonly line: number } | undefined,
): (branch: number) => readonly RejectFault[] {
  const ownFaults = groupBy(faults, ({ branch }) => branch);
  const listFor = (branch: number): readonly BranchFault[] => {
    if (faults.length <= MAX_REJECT_FINDINGS) return faults;
    const listed = (ownFaults.get(branch) ?? []).slice(0, MAX_REJECT_FINDINGS);
    for (const fault of faults) {
      if (listed.length >= MAX_REJECT_FINDINGS) break;
      if (fault.branch !== branch) listed.push(fault);
    }
    return listed;
  };
  return (branch) =>
    listFor(branch).map((fault) => {
      const place = fault.branch === branch ? undefined : placeOf(fault.branch);
      return { ...fault, file: place?.file, line: place?.line };
    });
}

/** Creates a function that redacts whole lines of a rejects file. */
export function createRejectRedactor(plan: RedactionPlan): (lines: Uint8Array) => Uint8Array {
  const redactLine = createLineRedactor(plan);
  const redactMessage = createMessageRedactor(plan);
  const redactReject = (line: string): string => {
    const reject: unknown = JSON.parse(line);
    if (!isJsonObject(reject) || !Array.isArray(reject.findings)) return redactLine(line).text;
    const findings = reject.findings
      .filter(isJsonObject)
      .map((finding) => ({ ...finding, message: redactMessage(String(finding.message)) }));
    return redactLine(JSON.stringify({ ...reject, findings })).text;
  };
  return (bytes) => {
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
    const redacted = lines.split("\n").map((line) => (line === "" ? "" : redactReject(line)));
    return Buffer.from(redacted.join("\n"));
  };
}
