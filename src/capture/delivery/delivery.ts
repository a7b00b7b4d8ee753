import type { RetryPolicy } from "../sinks/retry-delay.js";
import type { Sink } from "../sinks/sink.js";
import type { CaptureLogger } from "./capture-logger.js";
import type { DeliveryStats } from "./delivery-stats.js";

export interface DeliveryOptions {
  readonly sink: Sink;
  /**
   * Folder where records wait, for as many processes and destinations as want to share it. Default
   * `./rollouts/.spool`; null for none: then what cannot be sent at once is only in memory.
   */
  readonly spoolDir?: string | null;
  /** Most records in memory. Default 1,000. */
  readonly queueSize?: number;
  /** Most bytes of records in memory. Default 32 MiB. */
  readonly queueBytes?: number;
  /** Most bytes on disk; beyond, new records are dropped. Default 1 GiB. */
  readonly spoolMaxBytes?: number;
  /** Most records that are sent together. Default 100. */
  readonly batchSize?: number;
  /** Bytes at which a batch is full. Default 1 MiB. */
  readonly batchBytes?: number;
  /** Default: what the sink says. */
  readonly retry?: RetryPolicy;
  /** Longest time that `flush` and `close` wait, in milliseconds. Default 10,000. */
  readonly flushTimeoutMs?: number;
  readonly logger?: CaptureLogger;
}

/** How records wait for their sink. */
export type DeliverySettings = Omit<DeliveryOptions, "sink" | "logger">;

/** What a test replaces. */
export interface DeliveryParts {
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** Milliseconds on a clock that nobody sets: how long something waits. */
  readonly elapsed?: () => number;
  readonly random?: () => number;
}

/** A queue in front of a sink, which neither delays nor breaks those who push. */
export interface Delivery {
  /**
   * Takes over a record as it is now. Never throws and never waits for the sink. When it returns, the
   * record is on disk and survives the end of the process.
   */
  push(record: object): void;
  /**
   * Resolves when all that was pushed before has arrived; also when the sink fails and all of it is on
   * disk, and after `flushTimeoutMs`. Never rejects.
   */
  flush(): Promise<void>;
  /** As `flush`; then ends the sink and all timers. What has not arrived is sent by the next process. */
  close(): Promise<void>;
  stats(): DeliveryStats;
}
