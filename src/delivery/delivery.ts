import type { RetryPolicy } from "./sinks/http-request.js";
import type { Sink } from "./sinks/sink.js";

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

/** Where capture says what happens to records; every runtime's logger has these three. */
export interface CaptureLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * What has become of the records, in records where nothing else is said. At any time `pushed + recovered` is
 * `delivered + rejected + handedOver + dropped + queued + spooled`.
 */
export interface DeliveryStats {
  /**
   * `idle`: nothing waits. `sending`. `failing`: the last try failed, and another follows. `closed`.
   */
  readonly state: "idle" | "sending" | "failing" | "closed";
  /** Given to `push`. */
  readonly pushed: number;
  /** Of those that earlier processes left on disk: they have come to their end now. */
  readonly recovered: number;
  /** Taken over by the sink. */
  readonly delivered: number;
  /** Refused by the destination for good, or damaged, and kept in a rejects file. */
  readonly rejected: number;
  /**
   * Left to another process: those that came after the end, and those of a log that was taken over because
   * this process gave no sign of life.
   */
  readonly handedOver: number;
  /** Lost, whatever the reason: of these is always said why. */
  readonly dropped: number;
  /** Of those dropped: what JSON cannot hold at all, such as cycles. */
  readonly unprintable: number;
  /** Records that JSON holds otherwise than they are, such as NaN, which becomes null. Not lost. */
  readonly altered: number;
  /** Waiting in memory, those under way included; most of them are on disk too. */
  readonly queued: number;
  /** UTF-8 bytes of them. */
  readonly queuedBytes: number;
  /** Waiting on disk alone. */
  readonly spooled: number;
  /** Bytes of the files that keep waiting records. */
  readonly spoolBytes: number;
  /** Tries to send a batch, or to read one back from disk, that failed; since the beginning. */
  readonly failedAttempts: number;
  /** What the last failure of them was; undefined before there was one. */
  readonly lastError: string | undefined;
}
