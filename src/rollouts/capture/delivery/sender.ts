import { MAX_TIMER_MS } from "../../../base/options.js";
import type { DeadLetters } from "./dead-letters.js";
import { describeFault, type Ledger } from "./ledger.js";
import { SpoolUnreadableError } from "./overflow.js";
import { type RetryPolicy, retryDelay } from "./sinks/http-request.js";
import { type Batch, type Sink, SinkError } from "./sinks/sink.js";

/** Batches to send, one after the other. */
export interface BatchSource {
  /** Whether there is nothing to send now. */
  readonly isEmpty: boolean;
  /**
   * The first batch that is not finished; undefined when there is none. From now on nothing is added to it.
   * Throws SpoolUnreadableError when it cannot be read now; then call again later.
   */
  next(): Promise<Batch | undefined>;
  /** The batch that `next` returned was delivered or rejected: it is not sent again. */
  finish(): void;
}

interface SenderParts {
  readonly sink: Sink;
  readonly retry: RetryPolicy;
  readonly random: () => number;
  readonly ledger: Ledger;
  readonly deadLetters: DeadLetters;
  /** In order: a source is read once those before it are empty. */
  readonly sources: readonly BatchSource[];
  /** Runs each time that sending starts, before the first batch. */
  readonly prepare: () => Promise<void>;
}

/** Pause after an internal error. */
const FAULT_PAUSE_MS = 5_000;

/** Sends batches to the sink, one at a time, and retries each until it is delivered or rejected. */
export class BatchSender {
  readonly #parts: SenderParts;
  #isSending = false;
  #isStopped = false;
  /** Ends the wait before the next attempt. */
  #endPause: (() => void) | undefined;
  /** Whether the destination asked for the current wait. */
  #isRequestedPause = false;
  /** Whether a wait was cut short since one ended by itself, or an attempt succeeded. */
  #hasHurried = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Whether sending is under way, including a wait before the next attempt. */
  get isSending(): boolean {
    return this.#isSending;
  }

  /** Whether all sources are empty. */
  get isDone(): boolean {
    return this.#parts.sources.every(({ isEmpty }) => isEmpty);
  }

  /** Starts sending, unless it is under way. */
  wake(): void {
    if (this.#isSending || this.#isStopped) return;
    this.#isSending = true;
    setImmediate(() => void this.#run());
  }

  /**
   * As `wake`, and cuts short the wait before the next attempt, unless the destination asked for that wait,
   * or one was cut short before. With `isLast` the second reason does not count. Returns whether an attempt
   * is under way or follows.
   */
  hurry(isLast: boolean): boolean {
    if (this.#endPause === undefined) {
      this.wake();
      return true;
    }
    if (this.#isRequestedPause || (this.#hasHurried && !isLast)) return false;
    this.#hasHurried = true;
    this.#endPause();
    return true;
  }

  /**
   * Sends no further batch, and closes the sink. A user's sink whose `close` never ends is left alone after
   * `limitMs`, so that the agent can end.
   */
  async close(limitMs: number): Promise<void> {
    this.#isStopped = true;
    await this.#closeSink(limitMs);
    this.#endPause?.();
  }

  async #run(): Promise<void> {
    const { ledger, prepare } = this.#parts;
    try {
      await prepare();
      while (!this.#isStopped) {
        if (!(await this.#sendNext())) break;
      }
    } catch (error) {
      ledger.say("error", `internal error: ${describeFault(error)}`);
      await this.#pause(FAULT_PAUSE_MS);
    }
    this.#isSending = false;
    if (!this.isDone) this.wake();
    ledger.changed.notify();
  }

  /** Makes one attempt at the first batch, with the wait after a failure. Returns false if there is no batch. */
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
    const { ledger } = this.#parts;
    try {
      const batch = await source.next();
      if (batch !== undefined) ledger.noteReadWorks();
      return batch;
    } catch (error) {
      if (!(error instanceof SpoolUnreadableError)) throw error;
      ledger.noteReadFailed(error);
      await this.#pauseAfterFailure(undefined);
      return "unreadable";
    }
  }

  async #deliver(source: BatchSource, batch: Batch): Promise<void> {
    const { ledger, deadLetters } = this.#parts;
    const { length } = batch.lines;
    try {
      await this.#send(batch);
      ledger.deliver(length);
      this.#hasHurried = false;
    } catch (error) {
      if (!(error instanceof SinkError) || error.kind !== "rejected") return this.#fail(error);
      ledger.reject(length, error, await deadLetters.keep(batch.lines));
    }
    source.finish();
  }

  async #send({ key, lines }: Batch): Promise<void> {
    const { sink } = this.#parts;
    if (typeof sink.writeBatch === "function") await sink.writeBatch({ key, lines });
    else await sink.write(lines.map((line) => JSON.parse(line)));
  }

  async #fail(error: unknown): Promise<void> {
    // Closing the sink aborts the attempt: that is not a failure of the destination.
    if (this.#isStopped) return;
    this.#parts.ledger.fail(error);
    await this.#pauseAfterFailure(error instanceof SinkError ? error : undefined);
  }

  async #pauseAfterFailure(error: SinkError | undefined): Promise<void> {
    const { ledger, retry, random } = this.#parts;
    ledger.changed.notify();
    // Nobody fixes credentials or an address within a second: the longest wait at once.
    const failures = error?.kind === "misconfigured" ? Number.MAX_SAFE_INTEGER : ledger.failures;
    this.#isRequestedPause = (error?.retryAfterMs ?? 0) > 0;
    await this.#pause(retryDelay(failures, error?.retryAfterMs, retry, random));
    this.#isRequestedPause = false;
  }

  /** Waits, without keeping the process alive. */
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
    const { sink, ledger } = this.#parts;
    let isClosed = false;
    const close = async (): Promise<void> => {
      try {
        await sink.close();
      } catch (error) {
        ledger.say("warn", `${toSinkName(sink)} did not close: ${describeFault(error)}`);
      }
      isClosed = true;
      ledger.changed.notify();
    };
    void close();
    await ledger.changed.until(() => isClosed, limitMs);
  }
}

/** The destination, as messages name it. In a user's sink, both properties may be anything. */
export function toSinkName({ name, id }: Sink): string {
  return [name, id].find((text) => typeof text === "string" && text !== "") ?? "the sink";
}
