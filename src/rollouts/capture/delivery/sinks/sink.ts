import { createHash } from "node:crypto";
import { toJsonl } from "../../../../base/json/print.js";
import type { RetryPolicy } from "./http-request.js";

/** Records that are sent together, and together again after a failure. */
export interface Batch {
  /**
   * Idempotency key: the same records have the same key, whenever and by whichever process they are sent.
   * 1 to 100 characters of `[A-Za-z0-9.-]`.
   */
  readonly key: string;
  /** The records as JSON, in order, one line each without its newline; at least one. */
  readonly lines: readonly string[];
}

/** Where records go. */
export interface Sink {
  /**
   * Resolves once the records have arrived, and rejects if they have not. A `SinkError` says whether to
   * send them again.
   */
  write(records: readonly object[]): Promise<void>;
  /** Ends writes under way. Nothing is written after it. */
  close(): Promise<void>;
  /**
   * As `write`, for a sink that uses the printed lines or the key. A delivery calls it instead of `write`;
   * it does not need to retry.
   */
  writeBatch?(batch: Batch): Promise<void>;
  /**
   * Identifies the destination, as a file name: records that an earlier process left go to the destination
   * they were meant for. Default `custom`.
   */
  readonly id?: string;
  /** The destination, as messages name it, without secrets. Default: the id. */
  readonly name?: string;
  /** How a delivery waits between attempts, unless its own options say so. */
  readonly retry?: RetryPolicy;
}

/**
 * Why records did not arrive.
 *
 * - `unavailable`: a temporary failure; they are sent again.
 * - `misconfigured`: somebody must fix the credentials or the address; they are sent again, at the longest
 *   interval.
 * - `rejected`: the destination will never accept them; they become dead letters and are not sent again.
 */
export type SinkErrorKind = "unavailable" | "misconfigured" | "rejected";

/** Thrown by sinks. Any other error from a sink counts as `unavailable`. */
export class SinkError extends Error {
  override readonly name = "SinkError";
  readonly kind: SinkErrorKind;
  /** How long the destination asks to wait, in milliseconds; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: SinkErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether `given` is a sink: an object of any class with `write` and `close`. */
export function isSink(given: unknown): given is Sink {
  return (
    typeof given === "object" &&
    given !== null &&
    "write" in given &&
    typeof given.write === "function" &&
    "close" in given &&
    typeof given.close === "function"
  );
}

/** Identifies a destination in a sink's id: the first 16 hexadecimal digits of its SHA-256. */
export function shortHash(destination: string): string {
  return createHash("sha256").update(destination).digest("hex").slice(0, 16);
}

/** Records as JSON, one line each. Throws TypeError, with the pointer, for a value that JSON cannot hold. */
export function toLines(records: readonly object[]): string[] {
  return records.map((record) => toJsonl([record]).slice(0, -1));
}
