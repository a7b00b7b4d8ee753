import { createHash } from "node:crypto";
import { toJsonl } from "../../json/print.js";
import type { RetryPolicy } from "./http-request.js";

/** Records that are sent together, and again together when sending failed. */
export interface Batch {
  /**
   * Tells that these are the same records, whenever and by whichever process they are sent again: 1 to
   * 100 characters of `[A-Za-z0-9.-]`.
   */
  readonly key: string;
  /** The records as JSON, in order, one line each without its newline; at least one. */
  readonly lines: readonly string[];
}

/** Where records go. */
export interface Sink {
  /**
   * Takes the records over: once it resolves, they have arrived. Rejects when they have not; a
   * `SinkError` says whether it is worth to send them again.
   */
  write(records: readonly object[]): Promise<void>;
  /** Ends what is under way; nothing is written after it. */
  close(): Promise<void>;
  /**
   * As `write`, for a sink that can use the printed lines or the key. A delivery calls it instead of
   * `write`, and does the trying again itself.
   */
  writeBatch?(batch: Batch): Promise<void>;
  /**
   * What tells this destination from others, as a file name: records that are left over from an earlier
   * process go to the destination that they were meant for. Default `custom`.
   */
  readonly id?: string;
  /** The destination as messages name it; holds no secrets. Default: the id. */
  readonly name?: string;
  /** How a delivery waits between two tries, where its own options do not say. */
  readonly retry?: RetryPolicy;
}

/**
 * Why records did not arrive.
 *
 * - `unavailable`: not now, perhaps later; they are sent again.
 * - `misconfigured`: not before somebody mends the credentials or the address; they are sent again, with the
 *   longest wait between two tries.
 * - `rejected`: never, as they are; they are kept aside and not sent again.
 */
export type SinkErrorKind = "unavailable" | "misconfigured" | "rejected";

/** Thrown by sinks; any other error of theirs counts as `unavailable`. */
export class SinkError extends Error {
  override readonly name = "SinkError";
  readonly kind: SinkErrorKind;
  /** How long the destination asks to be left alone, in milliseconds; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: SinkErrorKind, message: string, retryAfterMs?: number) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether `given` can be written to; any class may be. */
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

/** What tells a destination from others in a sink's id: the first 16 hexadecimal digits of its SHA-256. */
export function shortHash(destination: string): string {
  return createHash("sha256").update(destination).digest("hex").slice(0, 16);
}

/** Records as JSON, one line each. Throws TypeError, with the place, for what JSON cannot hold. */
export function toLines(records: readonly object[]): string[] {
  return records.map((record) => toJsonl([record]).slice(0, -1));
}
