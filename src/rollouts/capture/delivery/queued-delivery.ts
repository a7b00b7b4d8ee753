import { resolve } from "node:path";
import { findUnwritable, printJson } from "../../../base/json/print.js";
import { MAX_TIMER_MS } from "../../../base/options.js";
import { DeadLetters } from "./dead-letters.js";
import type { Delivery, DeliveryOptions, DeliveryParts, DeliveryStats } from "./delivery.js";
import { Heartbeat } from "./heartbeat.js";
import { describeFault, Ledger } from "./ledger.js";
import { OrphanedLogs } from "./orphaned-logs.js";
import { type QueueLimits, RecordQueue } from "./queue.js";
import { BatchSender, type BatchSource, toSinkName } from "./sender.js";
import { readRetryPolicy } from "./sinks/http-request.js";
import { SpoolFolder } from "./spool/folder.js";
import { newLogId, toFolderName } from "./spool/names.js";

/** A record as one line of JSON, without its newline. */
interface PrintedLine {
  readonly line: string;
  /** What the line says differently from the record, such as null for NaN; undefined when nothing. */
  readonly altered: string | undefined;
}

/** Why a record cannot be printed. */
interface UnprintableRecord {
  readonly reason: string;
}

/** Prints a record as it is now. Never throws, whatever its getters and `toJSON` do. */
export function printLine(record: unknown): PrintedLine | UnprintableRecord {
  try {
    const line: unknown = printJson(record);
    if (typeof line !== "string" || !line.startsWith("{")) return { reason: "it is not an object" };
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

/** Bytes of a segment, which is read back as a whole. */
const SEGMENT_BYTES = 4 * 2 ** 20;

/** The options that limit the queue, with their defaults. */
function toQueueLimits(options: DeliveryOptions): QueueLimits {
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

/** Longest wait for the sink once an attempt has failed and the disk does not take the records either. */
const HOPELESS_MS = 1_000;

/** Longest wait at the end for a batch or a search that is under way. */
const ENDING_MS = 1_000;

/**
 * A delivery that queues its records. The path of one record:
 *
 * 1. `push` prints it as one line of JSON (`printLine`).
 * 2. `RecordQueue.push` writes the line to disk (`SpoolWriter`), and adds it to a batch in memory, or to
 *    the `Overflow` if memory is full.
 * 3. `BatchSender` takes the batch (`RecordQueue.next`) and sends it to the sink until the sink accepts it,
 *    or rejects it: then `DeadLetters` keeps it.
 * 4. `RecordQueue.finish` forgets the batch, in memory and on disk.
 *
 * Batches of `OrphanedLogs`, which ended processes left, are sent first. The `Ledger` counts and logs all of it.
 */
export class QueuedDelivery implements Delivery {
  readonly #flushTimeoutMs: number;
  readonly #spoolMaxBytes: number;
  readonly #now: () => number;
  readonly #ledger: Ledger;
  /** This and the heartbeat are undefined when there is no spool. */
  readonly #folder: SpoolFolder | undefined;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #queue: RecordQueue;
  readonly #sender: BatchSender;
  #closing: Promise<void> | undefined;

  constructor(options: DeliveryOptions, parts: DeliveryParts) {
    const { sink, spoolDir = "./rollouts/.spool", logger } = options;
    const { now = Date.now, elapsed = () => performance.now(), random = Math.random } = parts;
    const limits = toQueueLimits(options);
    const retry = readRetryPolicy(options.retry ?? sink.retry);
    this.#flushTimeoutMs = Math.min(options.flushTimeoutMs ?? 10_000, MAX_TIMER_MS);
    this.#spoolMaxBytes = limits.spoolMaxBytes;
    this.#now = now;
    const folder =
      spoolDir === null
        ? undefined
        : new SpoolFolder(resolve(spoolDir), toFolderName(sink.id), now);
    const ledger = new Ledger(logger, toSinkName(sink), folder?.path);
    const deadLetters = new DeadLetters(folder?.path, ledger, limits.spoolMaxBytes, now);
    const queue = new RecordQueue(limits, folder, ledger, deadLetters, { now, elapsed });
    const sources: BatchSource[] = [queue];
    this.#folder = folder;
    this.#ledger = ledger;
    this.#queue = queue;
    if (folder !== undefined) {
      const orphans = new OrphanedLogs(folder, ledger, deadLetters);
      sources.unshift(orphans);
      this.#heartbeat = new Heartbeat(folder, orphans, ledger, () => this.#sender.wake());
    }
    const prepare = async (): Promise<void> => this.#heartbeat?.start();
    this.#sender = new BatchSender({ sink, retry, random, ledger, deadLetters, sources, prepare });
    this.#sender.wake();
  }

  push(record: object): void {
    try {
      this.#push(record);
    } catch (error) {
      // Nothing may ever be thrown at the agent.
      this.#ledger.drop("fault", 1, `internal error: ${describeFault(error)}`);
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
    const { counts, lastError } = this.#ledger;
    return { state: this.#state(), ...counts, queued, queuedBytes, spooled, spoolBytes, lastError };
  }

  #state(): DeliveryStats["state"] {
    if (this.#closing !== undefined) return "closed";
    if (this.#ledger.failures > 0) return "failing";
    return this.#sender.isDone ? "idle" : "sending";
  }

  #push(record: object): void {
    this.#ledger.counts.pushed += 1;
    const printed = printLine(record);
    if ("reason" in printed) {
      this.#ledger.drop("unprintable", 1, `it cannot be printed as JSON: ${printed.reason}`);
      return;
    }
    const { line, altered } = printed;
    if (altered !== undefined) this.#ledger.alter(altered);
    if (this.#closing !== undefined) {
      this.#leaveToNextProcess(line);
    } else if (this.#queue.push(line)) {
      this.#ledger.accept();
      this.#sender.wake();
    } else {
      this.#ledger.dropFull(this.#queue.queued + this.#queue.spooled, this.#spoolMaxBytes);
    }
  }

  /** A record that was pushed after `close`: another process sends it. */
  #leaveToNextProcess(line: string): void {
    if (this.#folder === undefined) {
      this.#ledger.drop("late", 1, "it was pushed after close");
      return;
    }
    try {
      this.#folder.keep(newLogId(this.#now()), [line], true);
      this.#ledger.counts.handedOver += 1;
    } catch (error) {
      const reason = `the spool cannot be written: ${describeFault(error)}`;
      this.#ledger.drop("late", 1, `it was pushed after close, and ${reason}`);
    }
  }

  async #flush(isLast: boolean): Promise<void> {
    const ledger = this.#ledger;
    const target = ledger.accepted;
    const { failedAttempts } = ledger.counts;
    const isTried = this.#sender.hurry(isLast);
    const hasFailed = (): boolean => !isTried || ledger.counts.failedAttempts > failedAttempts;
    const isSafe = (): boolean =>
      ledger.settled >= target || (hasFailed() && this.#queue.unsaved === 0);
    const isHopeless = (): boolean => hasFailed() && ledger.isWriteFailing;
    await ledger.changed.until(() => isSafe() || isHopeless(), this.#flushTimeoutMs);
    if (isHopeless()) {
      await ledger.changed.until(isSafe, Math.min(HOPELESS_MS, this.#flushTimeoutMs));
      if (!isLast) ledger.warnUnsaved(this.#queue.unsaved);
    }
    this.#queue.rest();
  }

  async #close(): Promise<void> {
    await this.#flush(true);
    this.#heartbeat?.stop();
    await this.#sender.close(this.#flushTimeoutMs);
    const isAtRest = (): boolean => !this.#sender.isSending && !this.#heartbeat?.isBeating;
    await this.#ledger.changed.until(isAtRest, ENDING_MS);
    const lost = this.#queue.close();
    if (lost > 0) this.#ledger.drop("lost", lost, "neither the sink nor the disk accepted them");
    try {
      this.#folder?.release();
    } catch {
      // Other processes find out that this one has ended.
    }
  }
}
