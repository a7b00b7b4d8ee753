import { resolve } from "node:path";
import { formatCount } from "../../records/format-count.js";
import { type RetryPolicy, readRetryPolicy, retryDelay } from "../sinks/retry-delay.js";
import type { Batch, Sink } from "../sinks/sink.js";
import { SinkError } from "../sinks/sink-error.js";
import type { Delivery, DeliveryOptions, DeliveryParts } from "./delivery.js";
import { DeliveryAccount } from "./delivery-account.js";
import type { DeliveryStats } from "./delivery-stats.js";
import { describeFault } from "./describe-fault.js";
import { keepRejects } from "./keep-rejects.js";
import type { LeftLogEvents } from "./left-log.js";
import { LeftLogs } from "./left-logs.js";
import { newLogId } from "./new-log-id.js";
import { printLine } from "./print-line.js";
import type { BatchSource } from "./queued-batch.js";
import { type QueueEvents, RecordQueue } from "./record-queue.js";
import { SpoolFolder } from "./spool-folder.js";
import { Watchers } from "./watchers.js";

/** How often a process gives a sign of life, and looks for logs of others that are gone. */
const BEAT_MS = 5_000;
/** Bytes of a segment: what is read back at once. */
const SEGMENT_BYTES = 4 * 2 ** 20;
/** Longest wait for a write under way once its sink is closed. */
const ENDING_MS = 1_000;
/** Longest that a timer can be. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** See `Delivery`: records go from the queue, and from logs that were left, to the sink, one batch at a time. */
export class QueuedDelivery implements Delivery {
  readonly #sink: Sink;
  readonly #retry: RetryPolicy;
  readonly #flushTimeoutMs: number;
  readonly #spoolMaxBytes: number;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #account: DeliveryAccount;
  readonly #folder: SpoolFolder | undefined;
  readonly #queue: RecordQueue;
  readonly #left: LeftLogs | undefined;
  readonly #beat: NodeJS.Timeout | undefined;
  readonly #watchers = new Watchers();
  /** Records of this process that were kept, and of these how many have come to their end. */
  #kept = 0;
  #settled = 0;
  #hasLooked = false;
  #isLooking = false;
  #isPumping = false;
  #isStopped = false;
  #closing: Promise<void> | undefined;
  /** Ends the wait before the next try. */
  #endPause: (() => void) | undefined;

  constructor(options: DeliveryOptions, parts: DeliveryParts) {
    const { sink, spoolDir = "./rollouts/.spool", queueSize = 1_000 } = options;
    const { queueBytes = 32 * 2 ** 20, spoolMaxBytes = 2 ** 30 } = options;
    const { batchSize = 100, batchBytes = 2 ** 20 } = options;
    this.#sink = sink;
    this.#retry = readRetryPolicy(options.retry ?? sink.retry);
    this.#flushTimeoutMs = Math.min(options.flushTimeoutMs ?? 10_000, MAX_TIMER_MS);
    this.#spoolMaxBytes = spoolMaxBytes;
    this.#now = parts.now ?? Date.now;
    this.#random = parts.random ?? Math.random;
    if (spoolDir !== null) {
      this.#folder = new SpoolFolder(resolve(spoolDir), toFolderName(sink.id), this.#now);
      this.#left = new LeftLogs(this.#folder, this.#leftEvents());
      this.#beat = setInterval(() => void this.#look(), BEAT_MS).unref();
    }
    this.#account = new DeliveryAccount(options.logger, toName(sink), this.#folder?.path);
    const limits = {
      queueSize,
      queueBytes,
      spoolMaxBytes,
      batchSize: Math.min(batchSize, queueSize),
      batchBytes,
      segmentSize: queueSize,
      segmentBytes: Math.min(SEGMENT_BYTES, queueBytes, Math.ceil(spoolMaxBytes / 4)),
    };
    this.#queue = new RecordQueue(limits, this.#folder, this.#queueEvents(), this.#now);
    this.#wake();
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
    return this.#closing ?? this.#flush();
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
    return this.#isDone ? "idle" : "sending";
  }

  get #isDone(): boolean {
    return this.#queue.isEmpty && (this.#left?.isEmpty ?? true);
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
      this.#keepLate(line);
    } else if (this.#queue.push(line)) {
      this.#kept += 1;
      this.#account.takesRecords();
      this.#wake();
    } else {
      this.#account.drop("full", 1, this.#describeFull());
    }
  }

  #describeFull(): string {
    const held = `${formatCount(this.#queue.queued + this.#queue.spooled, "record")} wait`;
    if (this.#folder === undefined) return `${held}, and there is no spool`;
    const { path } = this.#folder;
    if (this.#account.isDiskFailing) return `${held}, and the spool ${path} cannot be written`;
    return `${held}, and the spool ${path} holds spoolMaxBytes (${this.#spoolMaxBytes})`;
  }

  /** The delivery is closed: the next process sends it. */
  #keepLate(line: string): void {
    const folder = this.#folder;
    if (folder === undefined) {
      this.#account.drop("late", 1, "it came after the end");
      return;
    }
    try {
      folder.keep(newLogId(this.#now()), [line], true);
      this.#account.counts.handedOver += 1;
    } catch (error) {
      const reason = `the spool cannot be written: ${describeFault(error)}`;
      this.#account.drop("late", 1, `it came after the end, and ${reason}`);
    }
  }

  #settle(records: number): void {
    this.#settled += records;
    this.#watchers.notify();
  }

  /** Begins to send, unless that is under way. */
  #wake(): void {
    if (this.#isPumping || this.#isStopped) return;
    this.#isPumping = true;
    setImmediate(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    try {
      if (!this.#hasLooked) await this.#look();
      while (!this.#isStopped) {
        const head = await this.#head();
        if (head === undefined) break;
        await this.#deliver(head.source, head.batch);
      }
    } catch (error) {
      this.#account.say("error", `a fault of rollout-wire: ${describeFault(error)}`);
      await this.#pause(BEAT_MS);
    }
    this.#isPumping = false;
    if (!this.#isDone) this.#wake();
    this.#watchers.notify();
  }

  async #head(): Promise<{ source: BatchSource; batch: Batch } | undefined> {
    for (const source of [this.#left, this.#queue]) {
      const batch = await source?.next();
      if (source !== undefined && batch !== undefined) return { source, batch };
    }
    return undefined;
  }

  async #deliver(source: BatchSource, batch: Batch): Promise<void> {
    const { length } = batch.lines;
    try {
      await this.#send(batch);
      this.#account.deliver(length);
    } catch (error) {
      if (!(error instanceof SinkError) || error.kind !== "rejected") return this.#fail(error);
      this.#account.reject(length, error, await this.#keepRejects(batch.lines));
    }
    source.finish();
    this.#queue.leftBytes = this.#left?.bytes ?? 0;
    if (source === this.#queue) this.#settle(length);
  }

  async #send({ key, lines }: Batch): Promise<void> {
    const sink = this.#sink;
    if (typeof sink.writeBatch === "function") await sink.writeBatch({ key, lines });
    else await sink.write(lines.map((line) => JSON.parse(line)));
  }

  async #fail(error: unknown): Promise<void> {
    // Closing ends what is under way, and that is no failure of the sink.
    if (this.#isStopped) return;
    this.#account.fail(error);
    this.#watchers.notify();
    const asked = error instanceof SinkError ? error.retryAfterMs : undefined;
    await this.#pause(retryDelay(this.#account.failures, asked, this.#retry, this.#random));
  }

  /** Waits, without keeping the process alive for it. */
  #pause(ms: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(() => this.#endPause?.(), Math.min(ms, MAX_TIMER_MS)).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        this.#endPause = undefined;
        resume();
      };
    });
  }

  /** The file in which they are now; undefined when they could not be kept. */
  async #keepRejects(lines: readonly string[]): Promise<string | undefined> {
    let reason = "there is no spool to keep them in";
    try {
      const path = this.#folder?.path;
      if (path !== undefined) {
        return await keepRejects(path, lines, this.#now(), this.#spoolMaxBytes);
      }
    } catch (error) {
      reason = describeFault(error);
    }
    this.#account.drop("rejected", lines.length, `the sink refused them, and ${reason}`);
    return undefined;
  }

  /** Gives a sign of life, and looks for logs that are left. */
  async #look(): Promise<void> {
    if (this.#left === undefined || this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    try {
      this.#account.findLeft(await this.#left.look());
      this.#queue.leftBytes = this.#left.bytes;
      if (!this.#hasLooked) {
        this.#account.findOthers((await this.#folder?.findOthersLeft()) ?? []);
      }
    } catch (error) {
      this.#account.failToLook(error);
    }
    this.#hasLooked = true;
    this.#isLooking = false;
    if (!this.#left.isEmpty) this.#wake();
    this.#watchers.notify();
  }

  async #flush(): Promise<void> {
    const target = this.#kept;
    const { failedAttempts } = this.#account.counts;
    this.#endPause?.();
    this.#wake();
    await this.#watchers.until(() => {
      const hasFailed = this.#account.counts.failedAttempts > failedAttempts;
      return this.#settled >= target || (hasFailed && this.#queue.unsaved === 0);
    }, this.#flushTimeoutMs);
  }

  async #close(): Promise<void> {
    await this.#flush();
    this.#isStopped = true;
    clearInterval(this.#beat);
    await this.#closeSink();
    this.#endPause?.();
    await this.#watchers.until(() => !this.#isPumping && !this.#isLooking, ENDING_MS);
    const lost = this.#queue.close();
    if (lost > 0) this.#account.drop("lost", lost, "the sink did not take them, nor the disk");
    try {
      this.#folder?.release();
    } catch {
      // Others find out that this process is gone.
    }
  }

  /** A sink of the user's that never ends does not stop the agent from ending. */
  async #closeSink(): Promise<void> {
    let isClosed = false;
    const close = async (): Promise<void> => {
      try {
        await this.#sink.close();
      } catch (error) {
        this.#account.say("warn", `${toName(this.#sink)} did not close: ${describeFault(error)}`);
      }
      isClosed = true;
      this.#watchers.notify();
    };
    void close();
    await this.#watchers.until(() => isClosed, this.#flushTimeoutMs);
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
        this.#account.findDamaged(lines.length, await this.#keepRejects(lines));
      },
      unreadable: (path, error) =>
        this.#account.say("error", `${path} cannot be read, and stays: ${describeFault(error)}`),
    };
  }
}

/** A name that stays within the spool, whatever the id is. */
function toFolderName(id: unknown): string {
  if (typeof id !== "string" || id === "") return "custom";
  const name = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_");
  return name.slice(0, 100);
}

/** An object of the user's may have anything as its name. */
function toName({ name, id }: Sink): string {
  return [name, id].find((text) => typeof text === "string" && text !== "") ?? "the sink";
}
