import { escapeControls, formatCount } from "../text.js";
import { describeFault } from "./batch.js";
import type { CaptureLogger } from "./delivery.js";
import { SinkError } from "./sinks/sink.js";

/** Says what has changed, once for each change: a destination that is down for a night is two lines. */
export class StateLog {
  readonly #logger: CaptureLogger | undefined;
  readonly #states = new Map<string, string>();

  constructor(logger: CaptureLogger | undefined) {
    this.#logger = logger;
  }

  /** Notes that `topic` is now in `state`, and says so unless it was before. */
  enter(topic: string, state: string, level: keyof CaptureLogger, message: () => string): void {
    if (this.#states.get(topic) === state) return;
    this.#states.set(topic, state);
    this.say(level, message());
  }

  /** As if `topic` had not been spoken of. Gives whether it was. */
  leave(topic: string): boolean {
    return this.#states.delete(topic);
  }

  isIn(topic: string, state: string): boolean {
    return this.#states.get(topic) === state;
  }

  say(level: keyof CaptureLogger, message: string): void {
    try {
      this.#logger?.[level](`rollout-wire: ${escapeControls(message)}`);
    } catch {
      // A logger that fails is not the agent's concern.
    }
  }
}

/** Why a record is lost. Each kind is said once, until it has passed. */
export type LossKind = "unprintable" | "full" | "late" | "rejected" | "lost" | "fault";

/** Counts what becomes of the records, and says what changes. */
export class DeliveryAccount {
  readonly #log: StateLog;
  /** The destination as messages name it. */
  readonly #name: string;
  /** Where records wait, as messages name it. */
  readonly #spool: string | undefined;
  readonly counts = {
    pushed: 0,
    recovered: 0,
    delivered: 0,
    rejected: 0,
    handedOver: 0,
    dropped: 0,
    unprintable: 0,
    altered: 0,
    failedAttempts: 0,
  };
  /** Failures since the last success. */
  failures = 0;
  lastError: string | undefined;

  constructor(logger: CaptureLogger | undefined, name: string, spool: string | undefined) {
    this.#log = new StateLog(logger);
    this.#name = name;
    this.#spool = spool;
  }

  drop(kind: LossKind, records: number, reason: string): void {
    this.counts.dropped += records;
    if (kind === "unprintable") this.counts.unprintable += records;
    const isKnown = kind !== "lost";
    this.#log.enter(`dropped: ${kind}`, isKnown ? "yes" : reason, "error", () => {
      const more = isKnown ? ", and perhaps more" : "";
      return `${formatCount(records, "record")} DROPPED${more}: ${reason}`;
    });
  }

  /** There is no room for a record: so many wait, and the spool may hold `spoolMaxBytes`. */
  dropFull(waiting: number, spoolMaxBytes: number): void {
    const held = `${formatCount(waiting, "record")} wait`;
    this.drop("full", 1, `${held}, and ${this.#describeFull(spoolMaxBytes)}`);
  }

  /** There is room for a record again. */
  takesRecords(): void {
    this.#log.leave("dropped: full");
  }

  alter(what: string): void {
    this.counts.altered += 1;
    this.#log.enter("altered", "yes", "warn", () => `a record is kept otherwise: ${what}`);
  }

  deliver(records: number): void {
    this.counts.delivered += records;
    this.#log.leave("rejected");
    this.#log.leave("dropped: rejected");
    this.#answer();
  }

  /** `place` is the file in which they are now. */
  reject(records: number, error: unknown, place: string | undefined): void {
    // Those that could not be kept are counted as dropped.
    if (place !== undefined) this.counts.rejected += records;
    this.lastError = describeFault(error);
    this.#answer();
    this.#log.enter("rejected", "yes", "error", () => {
      const what = `${formatCount(records, "record")}, and perhaps more: ${this.lastError}`;
      const where = place === undefined ? "they are not kept" : `they are kept in ${place}`;
      return `${this.#name} refuses ${what}; ${where}`;
    });
  }

  fail(error: unknown): void {
    this.#countFailure(error);
    // Of its own: a destination that was down before may need to be told of all the same.
    const isOurs = error instanceof SinkError && error.kind === "misconfigured";
    const topic = isOurs ? "misconfigured" : "sink";
    this.#log.enter(topic, "failing", isOurs ? "error" : "warn", () => {
      const where = this.#spool ?? "memory";
      return `${this.#name} does not take records, which wait in ${where}: ${this.lastError}`;
    });
  }

  /** Records that stand on disk alone cannot be read back now. */
  failToRead(error: unknown): void {
    this.#countFailure(error);
    this.#log.enter("read", "failing", "error", () => {
      return `${this.lastError}; nothing of it is lost, and reading is tried again`;
    });
  }

  readsSpool(): void {
    if (this.#log.leave("read")) this.#log.say("info", "the spool can be read again");
  }

  failDisk(error: unknown): void {
    this.#log.enter("disk", "failing", "error", () => {
      const held = "records that wait are only in memory until it can";
      return `the spool ${this.#spool} cannot be written: ${describeFault(error)}; ${held}`;
    });
  }

  useDisk(): void {
    if (this.#log.leave("disk")) this.#log.say("info", "the spool can be written again");
  }

  findLeft(logs: number): void {
    this.#log.leave("look");
    if (logs === 0) return;
    const what = formatCount(logs, "log");
    this.#log.say("info", `${what} left by ended processes in ${this.#spool}: sent now`);
  }

  failToLook(error: unknown): void {
    this.#log.enter("look", "failing", "warn", () => {
      return `the spool ${this.#spool} cannot be searched: ${describeFault(error)}`;
    });
  }

  /** What waits for a destination that nobody sends to any more would wait for ever. */
  findOthers(names: readonly string[]): void {
    if (names.length === 0) return;
    const what = "records for other destinations, which are not sent from here";
    this.#log.say("warn", `the spool also holds ${what}: ${names.join(", ")}`);
  }

  findDamaged(lines: number, place: string | undefined): void {
    this.counts.recovered += lines;
    if (place !== undefined) this.counts.rejected += lines;
    const what = formatCount(lines, "damaged line");
    this.#log.say("error", `the spool holds ${what}: kept in ${place ?? "no place"}`);
  }

  /** What is not a loss, and has no end. */
  say(level: keyof CaptureLogger, message: string): void {
    this.#log.say(level, message);
  }

  #countFailure(error: unknown): void {
    this.lastError = describeFault(error);
    this.counts.failedAttempts += 1;
    this.failures += 1;
  }

  #describeFull(spoolMaxBytes: number): string {
    if (this.#spool === undefined) return "there is no spool";
    if (this.#log.isIn("disk", "failing")) return `the spool ${this.#spool} cannot be written`;
    return `the spool ${this.#spool} holds spoolMaxBytes (${spoolMaxBytes})`;
  }

  /** The destination answers. */
  #answer(): void {
    const failures = this.failures;
    this.failures = 0;
    const topics = ["sink", "misconfigured"].filter((topic) => this.#log.leave(topic));
    if (topics.length === 0) return;
    const after = formatCount(failures, "failed try", "failed tries");
    this.#log.say("info", `${this.#name} takes records again, after ${after}`);
  }
}
