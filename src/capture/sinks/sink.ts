import type { RetryPolicy } from "./retry-delay.js";

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
