import { isUtf8 } from "node:buffer";
import type { RecordFault } from "../findings/finding.js";
import { catchStringLimit } from "../jsonl/printer.js";
import { UserError } from "../user-error.js";

/** A fault, with its position if it is in another line of the rollout. */
export interface RejectFault extends Pick<RecordFault, "id" | "pointer" | "message"> {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * Maximum number of findings in a line of a rejects file. A rollout of n lines can have n faults: listing all of
 * them in every line would make the file grow quadratically.
 */
export const MAX_REJECT_FINDINGS = 20;

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

/** The same as `toReject`, but throws UserError (exit 3) if the line cannot be kept. */
export function requireReject(...[place, ...rest]: Parameters<typeof toReject>): string {
  const reject = toReject(place, ...rest);
  if (reject !== undefined) return reject;
  throw new UserError(`${place.file}:${place.line}: too long for the rejects file`);
}

/** Turns a fault of an omitted line into a warning. */
export function toWarning<Fault extends RecordFault>(fault: Fault): Fault {
  return { ...fault, severity: "warning" };
}
