import { isUtf8 } from "node:buffer";
import { unlessTooLong } from "../../jsonl/printer.js";
import type { RecordFault } from "../../validation/check-record.js";

/** What is wrong, and where, if that is in another line of the rollout. */
export interface RejectFault extends Pick<RecordFault, "id" | "pointer" | "message"> {
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
  return unlessTooLong(() => {
    const content = isUtf8(bytes)
      ? { text: bytes.toString("utf8") }
      : { base64: bytes.toString("base64") };
    return JSON.stringify({ file, line, findings, ...content });
  });
}
