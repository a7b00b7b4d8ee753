import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { formatCount } from "../../records/format-count.js";
import { appendLines } from "../sinks/append-lines.js";
import { type RetryPolicy, retryDelay } from "../sinks/retry-delay.js";
import type { Batch, Sink } from "../sinks/sink.js";
import { SinkError } from "../sinks/sink-error.js";
import type { Delivery, DeliveryOptions, DeliveryParts } from "./delivery.js";
import type { DeliveryStats } from "./delivery-stats.js";
import { LeftLog } from "./left-log.js";
import { newLogId } from "./new-log-id.js";
import { printLine } from "./print-line.js";
import type { BatchSource } from "./queued-batch.js";
import { RecordQueue } from "./record-queue.js";
import { SpoolFolder } from "./spool-folder.js";
import { StateLog } from "./state-log.js";

/** How often a process gives a sign of life, and looks for logs of others that are gone. */
const BEAT_MS = 5_000;
/** Bytes of a segment: what is read back at once. */
const SEGMENT_BYTES = 4 * 2 ** 20;

type Counts = Record<
  | "pushed"
  | "recovered"
  | "delivered"
  | "rejected"
  | "dropped"
  | "unprintable"
  | "altered"
  | "failedAttempts"
  | "handedOver",
  number
>;

export class QueuedDelivery implements Delivery {
  readonly #sink: Sink;
  readonly #retry: RetryPolicy;
  readonly #flushTimeoutMs: number;
  readonly #spoolMaxBytes: number;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #log: StateLog;
  readonly #folder: SpoolFolder | undefined;
  readonly #queue: RecordQueue;
  readonly #left: LeftLog[] = [];
  readonly #beat: NodeJS.Timeout | undefined;
  readonly #counts: Counts = {
    pushed: 0,
    recovered: 0,
    delivered: 0,
    rejected: 0,
    dropped: 0,
    unprintable: 0,
    altered: 0,
    failedAttempts: 0,
    handedOver: 0,
  };
  #lastError: string | undefined;
  /** Failures since the last success. */
  #failures = 0;
  /** Records of this process that were kept, and of these how many have come to their end. */
  #kept = 0;
  #settled = 0;
  #hasLooked = false;
  #isPumping = false;
  #isStopped = false;
  #closing: Promise<void> | undefined;
  /** Ends the wait before the next try. */
  #endPause: (() => void) | undefined;
  /** To be called whenever something has changed that a `flush` may wait for. */
  readonly #watchers = new Set<() => void>();

  constructor(options: DeliveryOptions, parts: DeliveryParts) {
    const { sink, spoolDir = "./rollouts/.spool", queueSize = 1_000 } = options;
    const { queueBytes = 32 * 2 ** 20, spoolMaxBytes = 2 ** 30 } = options;
    const { batchSize = 100, batchBytes = 2 ** 20 } = options;
    this.#sink = sink;
    this.#retry = options.retry ?? sink.retry ?? {};
    this.#flushTimeoutMs = Math.min(options.flushTimeoutMs ?? 10_000, 2 ** 31 - 1);
    this.#spoolMaxBytes = spoolMaxBytes;
    this.#now = parts.now ?? Date.now;
    this.#random = parts.random ?? Math.random;
    this.#log = new StateLog(options.logger);
    const destination = (sink.id ?? "custom").replace(/[^A-Za-z0-9._-]/g, "_");
    this.#folder =
      spoolDir === null ? undefined : new SpoolFolder(resolve(spoolDir), destination, this.#now);
    const segmentBytes = Math.min(SEGMENT_BYTES, queueBytes, Math.ceil(spoolMaxBytes / 4));
    const limits = {
      queueSize,
      queueBytes,
      spoolMaxBytes,
      batchSize: Math.min(batchSize, queueSize),
      batchBytes,
      segmentSize: queueSize,
      segmentBytes,
    };
    this.#queue = new RecordQueue(limits, this.#folder, this.#queueEvents(), this.#now);
    if (this.#folder !== undefined) {
      this.#beat = setInterval(() => void this.#look(), BEAT_MS).unref();
    }
    this.#wake();
  }

  push(record: object): void {
    try {
      this.#push(record);
    } catch (error) {
      // Nothing of this may ever reach the agent.
      this.#drop(1, `a fault of rollout-wire: ${describe(error)}`);
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
    const { handedOver: _, ...counts } = this.#counts;
    const { queued, queuedBytes, spooled, spoolBytes } = this.#queue;
    const lastError = this.#lastError;
    return { state: this.#state(), ...counts, queued, queuedBytes, spooled, spoolBytes, lastError };
  }

  #state(): DeliveryStats["state"] {
    if (this.#closing !== undefined) return "closed";
    if (this.#failures > 0) return "failing";
    return this.#isPumping && !this.#queue.isEmpty ? "sending" : "idle";
  }

  get #name(): string {
    return this.#sink.name ?? this.#sink.id ?? "the sink";
  }

  #push(record: object): void {
    this.#counts.pushed += 1;
    const printed = printLine(record);
    if ("reason" in printed) {
      this.#counts.unprintable += 1;
      this.#drop(1, `it cannot be printed as JSON: ${printed.reason}`);
      return;
    }
    const { line, altered } = printed;
    if (altered !== undefined) {
      this.#counts.altered += 1;
      this.#log.enter("altered", "yes", "warn", () => `a record is kept otherwise: ${altered}`);
    }
    if (this.#closing !== undefined) {
      this.#keepLate(line);
    } else if (this.#queue.push(line)) {
      this.#kept += 1;
      this.#log.leave("full");
      this.#wake();
    } else {
      this.#dropFull();
    }
  }

  /** The delivery is closed: the next process sends it. */
  #keepLate(line: string): void {
    const folder = this.#folder;
    if (folder === undefined) {
      this.#drop(1, "it came after the end");
      return;
    }
    try {
      folder.leave(newLogId(this.#now()), [line]);
    } catch (error) {
      this.#drop(1, `it came after the end, and the spool cannot be written: ${describe(error)}`);
    }
  }

  #dropFull(): void {
    this.#counts.dropped += 1;
    this.#log.enter("full", "full", "error", () => {
      const held = `${formatCount(this.#queue.queued + this.#queue.spooled, "record")} wait`;
      const why =
        this.#folder === undefined
          ? "there is no spool"
          : this.#log.isIn("disk", "failing")
            ? `the spool ${this.#folder.path} cannot be written`
            : `the spool ${this.#folder.path} holds spoolMaxBytes (${this.#spoolMaxBytes})`;
      return `records are DROPPED: ${held} for ${this.#name}, and ${why}`;
    });
  }

  #drop(records: number, reason: string): void {
    this.#counts.dropped += records;
    const message = () => `${formatCount(records, "record")} DROPPED: ${reason}`;
    this.#log.enter("dropped", reason, "error", message);
  }

  #queueEvents() {
    return {
      diskFailed: (error: unknown) => {
        const where = this.#folder?.path;
        this.#log.enter("disk", "failing", "error", () => {
          const held = "records that wait are only in memory until it can";
          return `the spool ${where} cannot be written: ${describe(error)}; ${held}`;
        });
      },
      diskWorks: () => {
        if (this.#log.leave("disk")) this.#log.say("info", "the spool can be written again");
      },
      lost: (records: number, reason: string) => {
        this.#settle(records);
        this.#drop(records, reason);
      },
      handedOver: (records: number) => {
        this.#settle(records);
        this.#counts.handedOver += records;
      },
    };
  }

  #settle(records: number): void {
    this.#settled += records;
    this.#notify();
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Begins to send, unless that is under way. */
  #wake(): void {
    if (this.#isPumping || this.#isStopped) return;
    this.#isPumping = true;
    setImmediate(() => void this.#pump());
  }

  async #pump(): Promise<void> {
    try {
      if (!this.#hasLooked) await this.#claim();
      while (!this.#isStopped) {
        const head = await this.#head();
        if (head === undefined) break;
        await this.#deliver(head.source, head.batch);
      }
    } catch (error) {
      this.#log.enter("fault", describe(error), "error", () => `a fault: ${describe(error)}`);
      await this.#pause(BEAT_MS);
    }
    this.#isPumping = false;
    if (!this.#queue.isEmpty || this.#left.length > 0) this.#wake();
    this.#notify();
  }

  async #head(): Promise<{ source: BatchSource; batch: Batch } | undefined> {
    for (;;) {
      const source = this.#left[0];
      if (source === undefined) break;
      const batch = await source.next();
      if (batch !== undefined) return { source, batch };
      this.#left.shift();
      source.remove();
    }
    const batch = await this.#queue.next();
    return batch && { source: this.#queue, batch };
  }

  async #deliver(source: BatchSource, batch: Batch): Promise<void> {
    try {
      await this.#send(batch);
    } catch (error) {
      if (!(error instanceof SinkError) || error.kind !== "rejected") return this.#fail(error);
      await this.#keepRejected(batch, error);
      return this.#finish(source, batch);
    }
    this.#counts.delivered += batch.lines.length;
    this.#log.leave("rejected");
    this.#recover();
    this.#finish(source, batch);
  }

  async #send(batch: Batch): Promise<void> {
    const sink = this.#sink;
    if (sink.writeBatch !== undefined) await sink.writeBatch(batch);
    else await sink.write(batch.lines.map((line) => JSON.parse(line)));
  }

  #finish(source: BatchSource, { lines }: Batch): void {
    const { length } = lines;
    source.finish();
    if (source === this.#queue) this.#settle(length);
  }

  async #fail(error: unknown): Promise<void> {
    const reason = describe(error);
    this.#lastError = reason;
    this.#counts.failedAttempts += 1;
    this.#failures += 1;
    if (!this.#isStopped) {
      this.#log.enter("sink", "failing", "warn", () => {
        const where =
          this.#folder === undefined ? "wait in memory" : `wait in ${this.#folder.path}`;
        return `${this.#name} does not take records, which ${where}: ${reason}`;
      });
    }
    this.#notify();
    if (this.#isStopped) return;
    const asked = error instanceof SinkError ? error.retryAfterMs : undefined;
    await this.#pause(retryDelay(this.#failures, asked, this.#retry, this.#random));
  }

  #recover(): void {
    const failures = this.#failures;
    this.#failures = 0;
    if (!this.#log.leave("sink")) return;
    const after = formatCount(failures, "failed try", "failed tries");
    this.#log.say("info", `${this.#name} takes records again, after ${after}`);
  }

  /** Waits, without keeping the process alive for it. */
  #pause(ms: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(() => this.#endPause?.(), ms).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        this.#endPause = undefined;
        resume();
      };
    });
  }

  async #keepRejected({ lines }: Batch, error: SinkError): Promise<void> {
    this.#counts.rejected += lines.length;
    this.#lastError = describe(error);
    const place = await this.#appendRejects(lines);
    this.#recover();
    this.#log.enter("rejected", "yes", "error", () => {
      const records = formatCount(lines.length, "record");
      const where = place === undefined ? "they are not kept" : `they are kept in ${place}`;
      return `${this.#name} refuses ${records}, and perhaps more: ${describe(error)}; ${where}`;
    });
  }

  /** The file in which they are now; undefined when they could not be kept. */
  async #appendRejects(lines: readonly string[]): Promise<string | undefined> {
    const folder = this.#folder;
    if (folder === undefined) {
      this.#drop(lines.length, "the sink refused them, and there is no spool to keep them in");
      return undefined;
    }
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    const path = join(folder.path, `rejected-${day}.jsonl`);
    try {
      await mkdir(folder.path, { recursive: true, mode: 0o700 });
      await appendLines(path, lines);
      return path;
    } catch (error) {
      this.#drop(lines.length, `the sink refused them, and ${path}: ${describe(error)}`);
      return undefined;
    }
  }

  /** Gives a sign of life, and looks for logs that are left. */
  async #look(): Promise<void> {
    if (!this.#hasLooked) return;
    await this.#claim();
    if (this.#left.length > 0) this.#wake();
  }

  async #claim(): Promise<void> {
    try {
      const claimed = (await this.#folder?.claim()) ?? [];
      this.#left.push(...claimed.map((log) => new LeftLog(log, this.#leftEvents())));
    } catch (error) {
      this.#log.enter("claim", "failing", "warn", () => {
        return `the spool ${this.#folder?.path} cannot be searched: ${describe(error)}`;
      });
    }
    this.#hasLooked = true;
  }

  #leftEvents() {
    return {
      found: (records: number) => {
        this.#counts.recovered += records;
      },
      damaged: (lines: readonly string[]) => {
        this.#counts.recovered += lines.length;
        this.#counts.rejected += lines.length;
        void this.#appendRejects(lines).then((place) =>
          this.#log.say("error", `the spool holds damaged lines: kept in ${place}`),
        );
      },
      unreadable: (path: string, error: unknown) =>
        this.#log.say("error", `${path} cannot be read, and stays: ${describe(error)}`),
    };
  }

  async #flush(): Promise<void> {
    const target = this.#kept;
    const before = this.#counts.failedAttempts;
    this.#endPause?.();
    this.#wake();
    await this.#until(() => {
      if (this.#settled >= target) return true;
      return this.#counts.failedAttempts > before && this.#queue.unsaved === 0;
    });
  }

  /** Resolves once `isOver`, at the latest after the time limit; keeps the process alive meanwhile. */
  #until(isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        resolve();
      };
      const check = (): void => {
        if (isOver()) end();
      };
      const timer = setTimeout(end, this.#flushTimeoutMs);
      this.#watchers.add(check);
    });
  }

  async #close(): Promise<void> {
    await this.#flush();
    this.#isStopped = true;
    clearInterval(this.#beat);
    await this.#closeSink();
    this.#endPause?.();
    await this.#until(() => !this.#isPumping);
    const lost = this.#queue.close();
    if (lost > 0) this.#drop(lost, `${this.#name} did not take them, and nothing else could`);
    try {
      this.#folder?.release();
    } catch {
      // Others find out that this process is gone.
    }
  }

  /** A sink of the user's that never ends does not stop the agent from ending. */
  async #closeSink(): Promise<void> {
    let isClosed = false;
    const closing = Promise.resolve()
      .then(() => this.#sink.close())
      .catch((error) => this.#log.say("warn", `${this.#name} did not close: ${describe(error)}`))
      .then(() => {
        isClosed = true;
        this.#notify();
      });
    void closing;
    await this.#until(() => isClosed);
  }
}

/** Even an error may be anything, and its message a getter. */
function describe(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "an error that cannot be printed";
  }
}
