import { isUtf8 } from "node:buffer";
import type { RecordFault } from "../findings/finding.js";
import { catchStringLimit } from "../jsonl/printer.js";
import { UserError } from "../user-error.js";

/** What is wrong, and where, if that is in another line of the rollout. */
interface RejectFault extends Pick<RecordFault, "id" | "pointer" | "message"> {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/**
 * A line of a rejects file, without its newline: where the rejected line stood, what is wrong with it,
 * and all of its bytes but the newline, as `text` or, when they are not UTF-8, in `base64`. Undefined
 * when that would be longer than a string can be: such a line cannot be kept.
 */
export function toReject(
  place: { readonly file: string; readonly line: number },
  faults: readonly RejectFault[],
  stored: Uint8Array,
): string | undefined {
  const { file, line } = place;
  const findings = faults.map(({ id, pointer, message, ...at }) => {
    const elsewhere = at.file === undefined ? {} : { file: at.file, line: at.line };
    return { id, ...elsewhere, pointer, message };
  });
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  return catchStringLimit(() => {
    const content = isUtf8(bytes)
      ? { text: bytes.toString("utf8") }
      : { base64: bytes.toString("base64") };
    return JSON.stringify({ file, line, findings, ...content });
  });
}

/** The same, but throws UserError (exit 3) for a line that cannot be kept. */
export function requireReject(...[place, faults, stored]: Parameters<typeof toReject>): string {
  const reject = toReject(place, faults, stored);
  if (reject !== undefined) return reject;
  throw new UserError(`${place.file}:${place.line}: too long to be kept among the rejects`);
}

/** A fault of a line that is left out, and kept as a reject. */
export function toWarning<Fault extends RecordFault>(fault: Fault): Fault {
  return { ...fault, severity: "warning" };
}
