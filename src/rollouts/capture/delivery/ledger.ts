import { escapeControls, formatCount } from "../../../base/text.js";
import type { CaptureLogger } from "./delivery.js";
import { SinkError } from "./sinks/sink.js";

/** Why a record is lost. Each kind is logged once, until the cause has passed. */
type LossKind = "unprintable" | "full" | "late" | "rejected" | "lost" | "fault";

/**
 * Counts what becomes of the records, and logs each change of state once: a destination that is down for
 * a night is two lines. Every part of a delivery writes to the one ledger.
 */
export class Ledger {
  readonly #logger: CaptureLogger | undefined;
  /** The destination, as messages name it. */
  readonly #destination: string;
  /** The spool, as messages name it; undefined if there is none. */
  readonly #spool: string | undefined;
  /** The state of each topic that was logged and has not passed. */
  readonly #states = new Map<string, string>();
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
  /** Records of this process that were queued, and how many of them no longer wait. */
  accepted = 0;
  settled = 0;
  /** Bytes on disk of logs that ended processes left. */
  orphanedBytes = 0;
  /** Failures since the last success. */
  failures = 0;
  lastError: string | undefined;
  /** Notified of whatever `flush` and `close` wait for. */
  readonly changed = new Condition();

  constructor(logger: CaptureLogger | undefined, destination: string, spool: string | undefined) {
    this.#logger = logger;
    this.#destination = destination;
    this.#spool = spool;
  }

  // Records

  /** A record of this process is queued: so there is room again. */
  accept(): void {
    this.accepted += 1;
    this.#leave("dropped: full");
  }

  /** Records of this process no longer wait, whatever became of them. */
  settle(records: number): void {
    this.settled += records;
    this.changed.notify();
  }

  alter(what: string): void {
    this.counts.altered += 1;
    this.#enter("altered", "yes", "warn", () => `a record was altered: ${what}`);
  }

  drop(kind: LossKind, records: number, reason: string): void {
    this.counts.dropped += records;
    if (kind === "unprintable") this.counts.unprintable += records;
    const isOngoing = kind !== "lost";
    this.#enter(`dropped: ${kind}`, isOngoing ? "yes" : reason, "error", () => {
      const more = isOngoing ? ", and perhaps more" : "";
      return `${formatCount(records, "record")} DROPPED${more}: ${reason}`;
    });
  }

  /** Whoever flushes may end the process now. */
  warnUnsaved(records: number): void {
    if (records === 0) return;
    const held = `${formatCount(records, "record")} in memory only`;
    this.say(
      "error",
      `${held}, LOST if the process ends now: neither the sink nor the disk accepts them`,
    );
  }

  /** There is no room for a record: memory and the spool (`spoolMaxBytes`) are full. */
  dropFull(waiting: number, spoolMaxBytes: number): void {
    const held = `${formatCount(waiting, "record")} waiting`;
    this.drop("full", 1, `${held}, and ${this.#describeFull(spoolMaxBytes)}`);
  }

  /** Records of this process that were on disk only are gone. */
  lose(records: number, reason: string): void {
    this.drop("lost", records, reason);
    this.settle(records);
  }

  /** Another process has records of this one now, and sends them. */
  handOver(records: number): void {
    this.counts.handedOver += records;
    this.settle(records);
  }

  /** Records of an orphaned log no longer wait. */
  recover(records: number): void {
    this.counts.recovered += records;
  }

  /** Damaged lines of the spool are now in `file`; undefined if they could not be kept, and were dropped. */
  damage(lines: number, records: number, file: string | undefined): void {
    if (file !== undefined) this.counts.rejected += records;
    const where = file === undefined ? "not kept" : `kept in ${file}`;
    this.say("error", `the spool has ${formatCount(lines, "damaged line")}: ${where}`);
  }

  // The destination

  deliver(records: number): void {
    this.counts.delivered += records;
    this.#leave("rejected");
    this.#leave("dropped: rejected");
    this.#answer();
  }

  /** The destination rejected records, which `file` has now; undefined when they were dropped. */
  reject(records: number, error: unknown, file: string | undefined): void {
    if (file !== undefined) this.counts.rejected += records;
    this.lastError = describeFault(error);
    this.#answer();
    this.#enter("rejected", "yes", "error", () => {
      const what = `${formatCount(records, "record")}, and perhaps more: ${this.lastError}`;
      return `${this.#destination} rejected ${what}; ${file === undefined ? "not kept" : `kept in ${file}`}`;
    });
  }

  /** An attempt to send failed. */
  fail(error: unknown): void {
    this.#countFailure(error);
    // A topic of its own: somebody must act on it, even if the destination was down before.
    const isMisconfigured = error instanceof SinkError && error.kind === "misconfigured";
    const topic = isMisconfigured ? "misconfigured" : "sink";
    this.#enter(topic, "failing", isMisconfigured ? "error" : "warn", () => {
      const where = this.#spool ?? "memory";
      return `${this.#destination} does not accept records; they wait in ${where}: ${this.lastError}`;
    });
  }

  /** The destination answered. */
  #answer(): void {
    const failures = this.failures;
    this.failures = 0;
    const topics = ["sink", "misconfigured"].filter((topic) => this.#leave(topic));
    if (topics.length === 0) return;
    const after = formatCount(failures, "failed attempt");
    this.say("info", `${this.#destination} accepts records again, after ${after}`);
  }

  // The spool

  noteWriteFailed(error: unknown): void {
    this.#enter("write", "failing", "error", () => {
      const held = "until then, new records are in memory only";
      return `the spool ${this.#spool} cannot be written: ${describeFault(error)}; ${held}`;
    });
  }

  /** Whether the spool cannot be written now. */
  get isWriteFailing(): boolean {
    return this.#states.has("write");
  }

  noteWriteWorks(): void {
    if (this.#leave("write")) this.say("info", "the spool can be written again");
  }

  /** Records that are on disk only cannot be read back now. */
  noteReadFailed(error: unknown): void {
    this.#countFailure(error);
    this.#enter("read", "failing", "error", () => `${this.lastError}; nothing is lost, retrying`);
  }

  noteReadWorks(): void {
    if (this.#leave("read")) this.say("info", "the spool can be read again");
  }

  noteSearchFailed(error: unknown): void {
    this.#enter("search", "failing", "warn", () => {
      return `the spool ${this.#spool} cannot be searched: ${describeFault(error)}`;
    });
  }

  noteSearchWorks(): void {
    this.#leave("search");
  }

  /** Records of so many orphaned logs are about to be sent. */
  noteOrphans(orphans: number): void {
    const what = formatCount(orphans, "log");
    this.say("info", `sending ${what} that ended processes left in ${this.#spool}`);
  }

  /** Records wait for destinations to which no process sends any more. */
  noteOtherDestinations(names: readonly string[]): void {
    if (names.length === 0) return;
    const what = "records for other destinations, which this process does not send";
    this.say("warn", `the spool also has ${what}: ${names.join(", ")}`);
  }

  // The log

  say(level: keyof CaptureLogger, message: string): void {
    try {
      this.#logger?.[level](`rollout-wire: ${escapeControls(message)}`);
    } catch {
      // A logger that fails is not the agent's concern.
    }
  }

  /** Notes that `topic` is now in `state`, and logs it unless it was before. */
  #enter(topic: string, state: string, level: keyof CaptureLogger, message: () => string): void {
    if (this.#states.get(topic) === state) return;
    this.#states.set(topic, state);
    this.say(level, message());
  }

  /** The topic's state has passed. Returns whether there was one. */
  #leave(topic: string): boolean {
    return this.#states.delete(topic);
  }

  #countFailure(error: unknown): void {
    this.lastError = describeFault(error);
    this.counts.failedAttempts += 1;
    this.failures += 1;
  }

  #describeFull(spoolMaxBytes: number): string {
    if (this.#spool === undefined) return "there is no spool";
    if (this.isWriteFailing) return `the spool ${this.#spool} cannot be written`;
    return `the spool ${this.#spool} holds spoolMaxBytes (${spoolMaxBytes})`;
  }
}

/** Longest message of a fault, in characters. */
const MAX_LENGTH = 500;

/** The first line of what was thrown: that may be anything, and its message a getter that throws. */
export function describeFault(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return (message.split("\n", 1)[0] ?? "").slice(0, MAX_LENGTH);
  } catch {
    return "an error that cannot be printed";
  }
}

/** A condition variable: callers wait until a condition is true, and are notified when to check again. */
class Condition {
  readonly #checks = new Set<() => void>();

  /** Call this after every change that somebody may wait for. */
  notify(): void {
    for (const check of [...this.#checks]) check();
  }

  /** Resolves once `isTrue`, or after `limitMs`. Keeps the process alive meanwhile. */
  until(isTrue: () => boolean, limitMs: number): Promise<void> {
    if (isTrue()) return Promise.resolve();
    return new Promise((resolve) => {
      const check = (): void => {
        if (isTrue()) end();
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
