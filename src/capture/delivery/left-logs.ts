import type { Batch } from "../sinks/sink.js";
import { LeftLog, type LeftLogEvents } from "./left-log.js";
import type { BatchSource } from "./queued-batch.js";
import type { SpoolFolder } from "./spool-folder.js";

/**
 * The logs of processes that have ended, one after the other. One that cannot be read rests until logs are
 * looked for again, and holds up no other.
 */
export class LeftLogs implements BatchSource {
  readonly #folder: SpoolFolder;
  readonly #events: LeftLogEvents;
  readonly #logs: LeftLog[] = [];
  readonly #resting: LeftLog[] = [];

  constructor(folder: SpoolFolder, events: LeftLogEvents) {
    this.#folder = folder;
    this.#events = events;
  }

  /** Whether there is nothing to send now. */
  get isEmpty(): boolean {
    return this.#logs.length === 0;
  }

  /** Bytes of them all. */
  get bytes(): number {
    return [...this.#logs, ...this.#resting].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Looks for such logs, and gives a sign of life. Gives how many were found. Throws as node:fs does. */
  async look(): Promise<number> {
    this.#logs.push(...this.#resting.splice(0));
    const claimed = await this.#folder.claim();
    this.#logs.push(...claimed.map((log) => new LeftLog(log, this.#events)));
    return claimed.length;
  }

  async next(): Promise<Batch | undefined> {
    for (;;) {
      const log = this.#logs[0];
      if (log === undefined) return undefined;
      const batch = await log.next();
      if (batch !== undefined) return batch;
      this.#logs.shift();
      if (log.isDone) log.remove();
      else this.#resting.push(log);
    }
  }

  finish(): void {
    this.#logs[0]?.finish();
  }
}
