import { findErrors } from "#generated/index.js";
import { taskHash } from "../../export/task-hash.js";
import { describeError } from "../../records/describe-error.js";
import type { CaptureLogger } from "../delivery/capture-logger.js";
import { describeThrown } from "../describe-thrown.js";
import type { RedactInTurns } from "../redact/redact.js";
import type { CaptureCounter } from "./capture-counts.js";
import type { TypedRecord } from "./to-records.js";

export interface RecordWriterParts {
  readonly redact: RedactInTurns;
  readonly push: (record: object) => void;
  readonly counter: Pick<CaptureCounter, "addSkipped">;
  readonly logger: CaptureLogger;
}

/**
 * Redacts records, hashes what became of their tasks, and hands them over, in the order in which it was given them:
 * a long one is redacted in turns of the event loop, and those behind it wait. Nothing leaves that was not
 * redacted or is not valid: that is counted, and said when it begins. Gives a promise of a record that is not handed
 * over at once. Never throws.
 */
export function createRecordWriter({
  redact,
  push,
  counter,
  logger,
}: RecordWriterParts): (record: TypedRecord) => Promise<void> | undefined {
  let isFailing = false;
  let latest: Promise<void> | undefined;
  const refuse = (reason: "redaction-failed" | "invalid-record", what: string): void => {
    counter.addSkipped(reason);
    if (!isFailing) logger.error(`a record is not written, because redact ${what}`);
    isFailing = true;
  };
  const refuseFailed = (error: unknown): void =>
    refuse("redaction-failed", `failed: ${describeThrown(error).message}`);
  const handOver = (type: TypedRecord["type"], redacted: object): void => {
    const [error] = findErrors(type, redacted);
    if (error !== undefined) {
      const what = `made it invalid: ${error.pointer} ${describeError(error, redacted)}`;
      refuse("invalid-record", what);
      return;
    }
    isFailing = false;
    if (hasSameAnswers(redacted)) counter.addSkipped("identical-answers");
    else push(withHash(redacted));
  };
  const write = ({ type, record }: TypedRecord): Promise<void> | undefined => {
    let redacted: object | Promise<object>;
    try {
      redacted = redact(record);
    } catch (error) {
      refuseFailed(error);
      return undefined;
    }
    if (redacted instanceof Promise) {
      return redacted.then((value) => handOver(type, value), refuseFailed);
    }
    handOver(type, redacted);
    return undefined;
  };
  return (record) => {
    const written = latest === undefined ? write(record) : latest.then(() => write(record));
    const done = written?.finally(() => {
      if (latest === done) latest = undefined;
    });
    latest = done;
    return done;
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
