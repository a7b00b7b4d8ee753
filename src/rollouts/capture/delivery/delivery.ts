import type { RetryPolicy } from "./sinks/http-request.js";
import type { Sink } from "./sinks/sink.js";

/** How a delivery queues, stores and retries. */
export interface DeliveryOptions {
  readonly sink: Sink;
  /**
   * Folder where records wait. Any number of processes and destinations may share it. Default
   * `./rollouts/.spool`. With null there is none, and records wait in memory only.
   */
  readonly spoolDir?: string | null;
  /** Maximum number of records in memory. Default 1,000. */
  readonly queueSize?: number;
  /** Maximum bytes of records in memory. Default 32 MiB. */
  readonly queueBytes?: number;
  /** Maximum bytes on disk; beyond that, new records are dropped. Default 1 GiB. */
  readonly spoolMaxBytes?: number;
  /** Maximum number of records in a batch. Default 100. */
  readonly batchSize?: number;
  /** Maximum bytes of a batch; a larger record is a batch of its own. Default 1 MiB. */
  readonly batchBytes?: number;
  /** Default: the sink's policy. */
  readonly retry?: RetryPolicy;
  /** Maximum wait of `flush` and of `close`, in milliseconds. Default 10,000. */
  readonly flushTimeoutMs?: number;
  readonly logger?: CaptureLogger;
}

/** The options of the queue itself. */
export type DeliverySettings = Omit<DeliveryOptions, "sink" | "logger">;

/** What tests replace. */
export interface DeliveryParts {
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
}

/** A queue in front of a sink. It neither delays nor breaks its caller. */
export interface Delivery {
  /**
   * Queues a record as it is now. Never throws, and never waits for the sink. When it returns, the record is
   * on disk and survives the end of the process.
   */
  push(record: object): void;
  /**
   * Resolves once everything pushed before has arrived; also if the sink fails and everything is on disk,
   * and after `flushTimeoutMs`. Never rejects.
   */
  flush(): Promise<void>;
  /** As `flush`; then closes the sink and stops all timers. The next process sends what has not arrived. */
  close(): Promise<void>;
  stats(): DeliveryStats;
}

/** The logger of a delivery. Every runtime's logger has these three methods. */
export interface CaptureLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * What has become of the records. Unless stated otherwise, a number counts records. At any time,
 * `pushed + recovered` equals `delivered + rejected + handedOver + dropped + queued + spooled`.
 */
export interface DeliveryStats {
  /**
   * `idle`: no record waits. `failing`: the last attempt failed, and another one follows.
   */
  readonly state: "idle" | "sending" | "failing" | "closed";
  /** Passed to `push`. */
  readonly pushed: number;
  /** Left on disk by earlier processes, and no longer waiting. */
  readonly recovered: number;
  /** Accepted by the sink. */
  readonly delivered: number;
  /** Rejected by the destination, or damaged, and kept in a `rejected-*.jsonl` file. */
  readonly rejected: number;
  /**
   * Left to another process: pushed after `close`, or in a log that another process took over because this
   * one gave no sign of life.
   */
  readonly handedOver: number;
  /** Lost. The reason is always logged. */
  readonly dropped: number;
  /** Of those dropped: not printable as JSON at all, such as cycles. */
  readonly unprintable: number;
  /** Changed by JSON, such as NaN, which becomes null. Not lost. */
  readonly altered: number;
  /** Waiting in memory, including those being sent. Most of them are on disk too. */
  readonly queued: number;
  /** UTF-8 bytes of the queued records. */
  readonly queuedBytes: number;
  /** Waiting on disk only. */
  readonly spooled: number;
  /** Bytes of the spool's files. */
  readonly spoolBytes: number;
  /** Failed attempts to send a batch, or to read one back from disk, since the start. */
  readonly failedAttempts: number;
  /** The message of the last failure; undefined before the first one. */
  readonly lastError: string | undefined;
}
