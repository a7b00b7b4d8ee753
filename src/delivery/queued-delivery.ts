import { resolve } from "node:path";
import { findUnwritable } from "../json/print.js";
import { MAX_TIMER_MS } from "../options.js";
import { type BatchSource, describeFault } from "./batch.js";
import type { Delivery, DeliveryOptions, DeliveryParts, DeliveryStats } from "./delivery.js";
import { Lookout, type LookoutEvents } from "./heartbeat.js";
import { DeliveryAccount } from "./ledger.js";
import { type QueueEvents, type QueueLimits, RecordQueue } from "./queue.js";
import { BatchSender, toSinkName, Waiters } from "./sender.js";
import { readRetryPolicy } from "./sinks/http-request.js";
import { SpoolKeeper } from "./spool/dead-letters.js";
import { SpoolFolder } from "./spool/folder.js";
import { toFolderName } from "./spool/names.js";
import { type LeftLogEvents, LeftLogs } from "./spool/orphans.js";

/** A record as one line of JSON, without its newline. */
export interface PrintedLine {
  readonly line: string;
  /** What the line does not hold as the record does; undefined when there is nothing. */
  readonly altered: string | undefined;
}

/** Why a record cannot be printed. */
export interface UnprintableRecord {
  readonly reason: string;
}

/** Prints a record as it is now. Never throws, whatever its getters and `toJSON` do. */
export function printLine(record: unknown): PrintedLine | UnprintableRecord {
  try {
    const line: unknown = JSON.stringify(record);
    if (typeof line !== "string" || !line.startsWith("{")) return { reason: "it is no object" };
    return { line, altered: findAltered(record) };
  } catch (error) {
    return { reason: describeFault(error) };
  }
}

function findAltered(record: unknown): string | undefined {
  try {
    const found = findUnwritable(record);
    return found && `JSON cannot hold ${found.what} at "${found.pointer}"`;
  } catch (error) {
    return describeFault(error);
  }
}

/** Bytes of a segment: what is read back at once. */
const SEGMENT_BYTES = 4 * 2 ** 20;

/** The options that bound how many records wait, with their defaults. */
export function toQueueLimits(options: DeliveryOptions): QueueLimits {
  const { queueSize = 1_000, queueBytes = 32 * 2 ** 20, spoolMaxBytes = 2 ** 30 } = options;
  const { batchSize = 100, batchBytes = 2 ** 20 } = options;
  return {
    queueSize,
    queueBytes,
    spoolMaxBytes,
    batchSize: Math.min(batchSize, queueSize),
    batchBytes,
    segmentSize: queueSize,
    segmentBytes: Math.min(SEGMENT_BYTES, queueBytes, Math.ceil(spoolMaxBytes / 4)),
  };
}

/** Longest wait for what is under way once the sink is closed. */
const ENDING_MS = 1_000;

/** See `Delivery`: records go from the queue, and from logs that were left, to the sink, one batch at a time. */
export class QueuedDelivery implements Delivery {
  readonly #flushTimeoutMs: number;
  readonly #spoolMaxBytes: number;
  readonly #account: DeliveryAccount;
  readonly #folder: SpoolFolder | undefined;
  readonly #keeper: SpoolKeeper;
  readonly #queue: RecordQueue;
  readonly #left: LeftLogs | undefined;
  readonly #lookout: Lookout | undefined;
  readonly #sender: BatchSender;
  readonly #waiters = new Waiters();
  /** Records of this process that were kept, and of these how many have come to their end. */
  #kept = 0;
  #settled = 0;
  #closing: Promise<void> | undefined;

  constructor(options: DeliveryOptions, parts: DeliveryParts) {
    const { sink, spoolDir = "./rollouts/.spool", logger } = options;
    const { now = Date.now, elapsed = () => performance.now(), random = Math.random } = parts;
    const limits = toQueueLimits(options);
    const retry = readRetryPolicy(options.retry ?? sink.retry);
    this.#flushTimeoutMs = Math.min(options.flushTimeoutMs ?? 10_000, MAX_TIMER_MS);
    this.#spoolMaxBytes = limits.spoolMaxBytes;
    const folder =
      spoolDir === null
        ? undefined
        : new SpoolFolder(resolve(spoolDir), toFolderName(sink.id), now);
    const account = new DeliveryAccount(logger, toSinkName(sink), folder?.path);
    this.#folder = folder;
    this.#account = account;
    this.#keeper = new SpoolKeeper(folder, account, limits.spoolMaxBytes, now);
    this.#queue = new RecordQueue(limits, folder, this.#queueEvents(), { now, elapsed });
    if (folder !== undefined) {
      this.#left = new LeftLogs(folder, this.#leftEvents());
      this.#lookout = new Lookout(folder, this.#left, account, this.#lookoutEvents());
    }
    this.#sender = new BatchSender({
      sink,
      retry,
      random,
      account,
      waiters: this.#waiters,
      sources: this.#left === undefined ? [this.#queue] : [this.#left, this.#queue],
      prepare: async () => this.#lookout?.lookFirst(),
      keepRejects: (lines) => this.#keeper.keepRejects(lines),
      finished: (source, records) => this.#finished(source, records),
    });
    this.#sender.wake();
  }

  push(record: object): void {
    try {
      this.#push(record);
    } catch (error) {
      // Nothing of this may ever reach the agent.
      this.#account.drop("fault", 1, `a fault of rollout-wire: ${describeFault(error)}`);
    }
  }

  flush(): Promise<void> {
    return this.#closing ?? this.#flush(false);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  stats(): DeliveryStats {
    const { queued, queuedBytes, spooled, spoolBytes } = this.#queue;
    const { counts, lastError } = this.#account;
    return { state: this.#state(), ...counts, queued, queuedBytes, spooled, spoolBytes, lastError };
  }

  #state(): DeliveryStats["state"] {
    if (this.#closing !== undefined) return "closed";
    if (this.#account.failures > 0) return "failing";
    return this.#sender.isDone ? "idle" : "sending";
  }

  #push(record: object): void {
    this.#account.counts.pushed += 1;
    const printed = printLine(record);
    if ("reason" in printed) {
      this.#account.drop("unprintable", 1, `it cannot be printed as JSON: ${printed.reason}`);
      return;
    }
    const { line, altered } = printed;
    if (altered !== undefined) this.#account.alter(altered);
    if (this.#closing !== undefined) {
      this.#keeper.keepLate(line);
    } else if (this.#queue.push(line)) {
      this.#kept += 1;
      this.#account.takesRecords();
      this.#sender.wake();
    } else {
      this.#account.dropFull(this.#queue.queued + this.#queue.spooled, this.#spoolMaxBytes);
    }
  }

  async #flush(isLast: boolean): Promise<void> {
    const target = this.#kept;
    const { failedAttempts } = this.#account.counts;
    const isTried = this.#sender.hurry(isLast);
    await this.#waiters.until(() => {
      const hasFailed = !isTried || this.#account.counts.failedAttempts > failedAttempts;
      return this.#settled >= target || (hasFailed && this.#queue.unsaved === 0);
    }, this.#flushTimeoutMs);
  }

  async #close(): Promise<void> {
    await this.#flush(true);
    this.#lookout?.stop();
    await this.#sender.close(this.#flushTimeoutMs);
    const isAtRest = (): boolean => !this.#sender.isSending && !this.#lookout?.isLooking;
    await this.#waiters.until(isAtRest, ENDING_MS);
    const lost = this.#queue.close();
    if (lost > 0) this.#account.drop("lost", lost, "the sink did not take them, nor the disk");
    try {
      this.#folder?.release();
    } catch {
      // Others find out that this process is gone.
    }
  }

  #settle(records: number): void {
    this.#settled += records;
    this.#waiters.notify();
  }

  #finished(source: BatchSource, records: number): void {
    this.#countLeft();
    if (source === this.#queue) this.#settle(records);
  }

  #countLeft(): void {
    this.#queue.leftBytes = this.#left?.bytes ?? 0;
  }

  #queueEvents(): QueueEvents {
    return {
      diskFailed: (error) => this.#account.failDisk(error),
      diskWorks: () => this.#account.useDisk(),
      lost: (records, reason) => {
        this.#account.drop("lost", records, reason);
        this.#settle(records);
      },
      handedOver: (records) => {
        this.#account.counts.handedOver += records;
        this.#settle(records);
      },
    };
  }

  #leftEvents(): LeftLogEvents {
    return {
      settled: (records) => {
        this.#account.counts.recovered += records;
      },
      damaged: async (lines) => {
        this.#account.findDamaged(lines.length, await this.#keeper.keepRejects(lines));
      },
      unreadable: (path, error) =>
        this.#account.say("error", `${path} cannot be read, and waits: ${describeFault(error)}`),
      readable: (path) => this.#account.say("info", `${path} can be read again: sent now`),
      gone: (path) => this.#account.say("error", `${path} is gone, and was not sent from here`),
    };
  }

  #lookoutEvents(): LookoutEvents {
    return {
      found: () => this.#countLeft(),
      looked: () => {
        if (this.#left?.isEmpty === false) this.#sender.wake();
        this.#waiters.notify();
      },
    };
  }
}
