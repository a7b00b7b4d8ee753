import { findErrors } from "#generated/index.js";
import { taskHash } from "../../export/task-hash.js";
import { describeError } from "../../records/describe-error.js";
import type { CaptureLogger } from "../delivery/capture-logger.js";
import { describeThrown } from "../describe-thrown.js";
import type { Redact } from "../redact/redact.js";
import type { CaptureCounter } from "./capture-counts.js";
import type { TypedRecord } from "./to-records.js";

export interface RecordWriterParts {
  readonly redact: Redact;
  readonly push: (record: object) => void;
  readonly counter: Pick<CaptureCounter, "addSkipped">;
  readonly logger: CaptureLogger;
}

/**
 * Redacts records, hashes what became of their tasks, and hands them over. Nothing leaves that was not
 * redacted or is not valid: that is counted, and said when it begins. Never throws.
 */
export function createRecordWriter({
  redact,
  push,
  counter,
  logger,
}: RecordWriterParts): (record: TypedRecord) => void {
  let isFailing = false;
  const refuse = (reason: "redaction-failed" | "invalid-record", what: string): void => {
    counter.addSkipped(reason);
    if (!isFailing) logger.error(`a record is not written, because redact ${what}`);
    isFailing = true;
  };
  return ({ type, record }) => {
    let redacted: object;
    try {
      redacted = redact<object>(record);
    } catch (error) {
      return refuse("redaction-failed", `failed: ${describeThrown(error).message}`);
    }
    const [error] = findErrors(type, redacted);
    if (error !== undefined) {
      const what = `made it invalid: ${error.pointer} ${describeError(error, redacted)}`;
      return refuse("invalid-record", what);
    }
    isFailing = false;
    if (hasSameAnswers(redacted)) return counter.addSkipped("identical-answers");
    push(withHash(redacted));
  };
}

/** Two answers may differ in their secrets alone. */
function hasSameAnswers(record: object): boolean {
  return "chosen" in record && "rejected" in record && record.chosen === record.rejected;
}

/** The hash of a record is that of the prompt that it has now. */
function withHash(record: object): object {
  if (!("prompt" in record && "provenance" in record)) return record;
  const { prompt, provenance } = record;
  if (typeof prompt !== "string" || typeof provenance !== "object") return record;
  return { ...record, provenance: { ...provenance, n_gram_hash: taskHash(prompt) } };
}
