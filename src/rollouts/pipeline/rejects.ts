import { isUtf8 } from "node:buffer";
import type { RecordFault } from "../../base/findings/finding.js";
import { isJsonObject } from "../../base/json/value.js";
import { catchStringLimit } from "../../base/jsonl/printer.js";
import { UserError } from "../../base/user-error.js";
import {
  createLineRedactor,
  createMessageRedactor,
  type RedactionPlan,
} from "../capture/redact/line-redactor.js";
import type { BranchFault } from "../wire/validation/check-record.js";

/** A fault, with its position if it is in another line of the rollout. */
interface RejectFault extends Pick<RecordFault, "id" | "pointer" | "message"> {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Maximum number of findings in a line of a rejects file. A rollout of n lines can have n faults: listing all of
 * them in every line would make the file grow quadratically.
 */
const MAX_REJECT_FINDINGS = 20;

/**
 * Builds a line of a rejects file, without its newline. It contains the position of the rejected line, its
 * first faults, and all of its bytes except the newline: as `text`, or in `base64` if they are not UTF-8.
 * Undefined if the result would be too long to be a string; such a line cannot be kept. `total`: the number of
 * faults, listed or not.
 */
export function toReject(
  place: { readonly file: string; readonly line: number },
  faults: readonly RejectFault[],
  stored: Uint8Array,
  total = faults.length,
): string | undefined {
  const { file, line } = place;
  const findings = faults.slice(0, MAX_REJECT_FINDINGS).map(({ id, pointer, message, ...at }) => {
    const elsewhere = at.file === undefined ? {} : { file: at.file, line: at.line };
    return { id, ...elsewhere, pointer, message };
  });
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  return catchStringLimit(() => {
    const content = isUtf8(bytes)
      ? { text: bytes.toString("utf8") }
      : { base64: bytes.toString("base64") };
    const more = total - findings.length;
    const rest = more > 0 ? { findings_not_listed: more } : {};
    return JSON.stringify({ file, line, findings, ...rest, ...content });
  });
}

/**
 * Creates a function that gives the faults of a rollout as the reject of one of its branches lists them: those of
 * other branches with the place of their line, and if there are too many, its own first.
 */
export function createFaultLists(
  faults: readonly BranchFault[],
  placeOf: (branch: number) => { readonly file: string; readonly line: number } | undefined,
): (branch: number) => readonly RejectFault[] {
  const ownFaults = new Map<number, BranchFault[]>();
  for (const fault of faults) {
    const own = ownFaults.get(fault.branch);
    if (own === undefined) ownFaults.set(fault.branch, [fault]);
    else own.push(fault);
  }
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

/** The same, but throws UserError (exit 3) if the line cannot be kept. */
export function requireReject(...[place, ...rest]: Parameters<typeof toReject>): string {
  const reject = toReject(place, ...rest);
  if (reject !== undefined) return reject;
  throw new UserError(`${place.file}:${place.line}: too long for the rejects file`);
}

/** Turns a fault of an omitted line into a warning. */
export function toWarning<Fault extends RecordFault>(fault: Fault): Fault {
  return { ...fault, severity: "warning" };
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
