import { findErrors } from "#generated/index.js";
import type { CaptureLogger } from "../capture/delivery/delivery.js";
import { describeThrown } from "../capture/errors.js";
import type { RedactInTurns, Walk } from "../capture/redact/redact.js";
import { taskHash } from "../wire/conversation/task-hash.js";
import type { CaptureCounter } from "./outcome.js";
import type { TypedRecord } from "./records.js";

interface RecordWriterParts {
  readonly redact: RedactInTurns;
  readonly push: (record: object) => void;
  readonly counter: Pick<CaptureCounter, "addSkipped">;
  readonly logger: CaptureLogger;
}

/** How many records may wait behind one that is redacted in turns. Beyond that, the first ones are finished at once. */
const MAX_WAITING = 100;

interface Writing {
  readonly type: TypedRecord["type"];
  readonly walk: Walk<object>;
  readonly done: () => void;
}

/**
 * Redacts records, hashes their redacted tasks, and pushes them, in order. A long record is redacted in several
 * turns of the event loop, and later ones wait. A record whose redaction fails, or that is invalid afterwards,
 * is not pushed: it is counted, and the first of a series is logged. Returns a promise for a record that was not
 * pushed at once. Never throws.
 */
export function createRecordWriter({
  redact,
  push,
  counter,
  logger,
}: RecordWriterParts): (record: TypedRecord) => Promise<void> | undefined {
  const waiting: Writing[] = [];
  let isScheduled = false;
  let isFailing = false;
  const refuse = (reason: "redaction-failed" | "invalid-record", what: string): void => {
    counter.addSkipped(reason);
    if (!isFailing) logger.error(`a record is not written, because redact ${what}`);
    isFailing = true;
  };
  const handOver = (type: TypedRecord["type"], redacted: object): void => {
    const [error] = findErrors(type, redacted);
    if (error !== undefined) {
      const what = `made it invalid: ${error.pointer} ${error.message}`;
      refuse("invalid-record", what);
      return;
    }
    isFailing = false;
    if (hasSameAnswers(redacted)) counter.addSkipped("identical-answers");
    else push(withHash(redacted));
  };
  /** Takes one step; returns whether it was the last one. */
  const advance = ({ type, walk }: Writing): boolean => {
    try {
      const step = walk.next();
      if (step.done === true) handOver(type, step.value);
      return step.done === true;
    } catch (error) {
      refuse("redaction-failed", `failed: ${describeThrown(error).message}`);
      return true;
    }
  };
  const goOn = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (advance(first)) {
        waiting.shift();
        first.done();
      } else if (waiting.length <= MAX_WAITING) {
        schedule();
        return;
      }
    }
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      goOn();
    });
  };
  return ({ type, record }) => {
    let isDone = false;
    let resolve = (): void => {};
    const done = (): void => {
      isDone = true;
      resolve();
    };
    waiting.push({ type, walk: redact(record), done });
    if (!isScheduled || waiting.length > MAX_WAITING) goOn();
    if (isDone) return undefined;
    return new Promise((end) => {
      resolve = end;
    });
  };
}

/** After redaction, the answers of a pair may be equal. */
function hasSameAnswers(record: object): boolean {
  return "chosen" in record && "rejected" in record && record.chosen === record.rejected;
}

/** The hash must be that of the redacted prompt. */
function withHash(record: object): object {
  if (!("prompt" in record && "provenance" in record)) return record;
  const { prompt, provenance } = record;
  if (typeof prompt !== "string" || typeof provenance !== "object") return record;
  return { ...record, provenance: { ...provenance, n_gram_hash: taskHash(prompt) } };
}
