import { MAX_TIMER_MS } from "../options.js";
import { type BatchSource, describeFault } from "./batch.js";
import type { DeliveryAccount } from "./ledger.js";
import { type RetryPolicy, retryDelay } from "./sinks/http-request.js";
import { type Batch, type Sink, SinkError } from "./sinks/sink.js";
import { SpoolUnreadableError } from "./spool/overflow.js";

export interface SenderSource extends BatchSource {
  readonly isEmpty: boolean;
}

export interface SenderParts {
  readonly sink: Sink;
  readonly retry: RetryPolicy;
  readonly random: () => number;
  readonly account: DeliveryAccount;
  /** Told when a try has failed, and when nothing is sent any more. */
  readonly waiters: Waiters;
  /** Whose batches are sent: those of the first that has one. */
  readonly sources: readonly SenderSource[];
  /** Done before the first batch is taken, each time that sending begins. */
  readonly prepare: () => Promise<void>;
  /** Gives the file in which refused lines are now; undefined when they could not be kept. */
  readonly keepRejects: (lines: readonly string[]) => Promise<string | undefined>;
  /** So many records of a source have arrived, or were refused. */
  readonly finished: (source: BatchSource, records: number) => void;
}

/** After a fault of our own, nothing is sent for so long. */
const FAULT_PAUSE_MS = 5_000;

/** Sends batches to the sink, one at a time; one that fails is tried again until it arrives or is refused. */
export class BatchSender {
  readonly #parts: SenderParts;
  #isSending = false;
  #isStopped = false;
  /** Ends the wait before the next try. */
  #endPause: (() => void) | undefined;
  /** Whether the destination asked for the wait that is under way. */
  #isAsked = false;
  /** Whether a wait was cut short since one had ended by itself, or a try had succeeded. */
  #hasHurried = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Whether sending is under way, a wait before the next try included. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** Whether nothing waits. */
  get isDone(): boolean {
    return this.#parts.sources.every(({ isEmpty }) => isEmpty);
  }

  /** Begins to send, unless that is under way. */
  wake(): void {
    if (this.#isSending || this.#isStopped) return;
    this.#isSending = true;
    setImmediate(() => void this.#run());
  }

  /**
   * As `wake`, and does not wait for the next try, unless the destination asked for the wait, or one was cut
   * short before. With `isLast` only the first of these counts. Gives whether a try is under way or follows.
   */
  hurry(isLast: boolean): boolean {
    if (this.#endPause === undefined) {
      this.wake();
      return true;
    }
    if (this.#isAsked || (this.#hasHurried && !isLast)) return false;
    this.#hasHurried = true;
    this.#endPause();
    return true;
  }

  /**
   * Sends no further batch, and closes the sink: a sink of the user's that never ends does not stop the
   * agent from ending, and is left alone after `limitMs`.
   */
  async close(limitMs: number): Promise<void> {
    this.#isStopped = true;
    await this.#closeSink(limitMs);
    this.#endPause?.();
  }

  async #run(): Promise<void> {
    const { account, prepare, waiters } = this.#parts;
    try {
      await prepare();
      while (!this.#isStopped) {
        if (!(await this.#sendNext())) break;
      }
    } catch (error) {
      account.say("error", `a fault of rollout-wire: ${describeFault(error)}`);
      await this.#pause(FAULT_PAUSE_MS);
    }
    this.#isSending = false;
    if (!this.isDone) this.wake();
    waiters.notify();
  }

  /** Sends the first batch, or waits before it is tried again. Gives whether there was one. */
  async #sendNext(): Promise<boolean> {
    for (const source of this.#parts.sources) {
      const batch = await this.#take(source);
      if (batch === "unreadable") return true;
      if (batch === undefined) continue;
      await this.#deliver(source, batch);
      return true;
    }
    return false;
  }

  async #take(source: BatchSource): Promise<Batch | "unreadable" | undefined> {
    const { account } = this.#parts;
    try {
      const batch = await source.next();
      if (batch !== undefined) account.readsSpool();
      return batch;
    } catch (error) {
      if (!(error instanceof SpoolUnreadableError)) throw error;
      account.failToRead(error);
      await this.#pauseAfterFailure(undefined);
      return "unreadable";
    }
  }

  async #deliver(source: BatchSource, batch: Batch): Promise<void> {
    const { account, keepRejects, finished } = this.#parts;
    const { length } = batch.lines;
    try {
      await this.#send(batch);
      account.deliver(length);
      this.#hasHurried = false;
    } catch (error) {
      if (!(error instanceof SinkError) || error.kind !== "rejected") return this.#fail(error);
      account.reject(length, error, await keepRejects(batch.lines));
    }
    source.finish();
    finished(source, length);
  }

  async #send({ key, lines }: Batch): Promise<void> {
    const { sink } = this.#parts;
    if (typeof sink.writeBatch === "function") await sink.writeBatch({ key, lines });
    else await sink.write(lines.map((line) => JSON.parse(line)));
  }

  async #fail(error: unknown): Promise<void> {
    // Closing ends what is under way, and that is no failure of the sink.
    if (this.#isStopped) return;
    this.#parts.account.fail(error);
    await this.#pauseAfterFailure(error instanceof SinkError ? error : undefined);
  }

  async #pauseAfterFailure(error: SinkError | undefined): Promise<void> {
    const { account, retry, random, waiters } = this.#parts;
    waiters.notify();
    // What somebody has to mend is not mended within a second: the longest wait at once.
    const failures = error?.kind === "misconfigured" ? Number.MAX_SAFE_INTEGER : account.failures;
    this.#isAsked = (error?.retryAfterMs ?? 0) > 0;
    await this.#pause(retryDelay(failures, error?.retryAfterMs, retry, random));
    this.#isAsked = false;
  }

  /** Waits, without keeping the process alive for it. */
  #pause(ms: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(
        () => {
          this.#hasHurried = false;
          this.#endPause?.();
        },
        Math.min(ms, MAX_TIMER_MS),
      ).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        this.#endPause = undefined;
        resume();
      };
    });
  }

  async #closeSink(limitMs: number): Promise<void> {
    const { sink, account, waiters } = this.#parts;
    let isClosed = false;
    const close = async (): Promise<void> => {
      try {
        await sink.close();
      } catch (error) {
        account.say("warn", `${toSinkName(sink)} did not close: ${describeFault(error)}`);
      }
      isClosed = true;
      waiters.notify();
    };
    void close();
    await waiters.until(() => isClosed, limitMs);
  }
}

/** The destination as messages name it. An object of the user's may have anything as its name. */
export function toSinkName({ name, id }: Sink): string {
  return [name, id].find((text) => typeof text === "string" && text !== "") ?? "the sink";
}

/** Those who wait for something to become true. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  /** To be called whenever something has changed that somebody may wait for. */
  notify(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves once `isOver`, at the latest after the limit; keeps the process alive meanwhile. */
  until(isOver: () => boolean, limitMs: number): Promise<void> {
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (isOver()) end();
      };
      const end = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      this.#checks.add(check);
    });
  }
}
