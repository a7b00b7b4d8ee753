import type { DeliveryAccount } from "./ledger.js";
import type { SpoolFolder } from "./spool/folder.js";
import type { LeftLogs } from "./spool/orphans.js";

export interface LookoutEvents {
  /** Logs that are left may have been added. */
  found(): void;
  /** It is over, whether or not something was found. */
  looked(): void;
}

/** How often a process gives a sign of life, and looks for logs of others that are gone. */
const BEAT_MS = 5_000;

/** Gives a sign of life again and again, and looks for logs that are left. Keeps no process alive. */
export class Lookout {
  readonly #folder: SpoolFolder;
  readonly #left: LeftLogs;
  readonly #account: DeliveryAccount;
  readonly #events: LookoutEvents;
  readonly #beat: NodeJS.Timeout;
  #hasLooked = false;
  #isLooking = false;
  #isStopped = false;

  constructor(
    folder: SpoolFolder,
    left: LeftLogs,
    account: DeliveryAccount,
    events: LookoutEvents,
  ) {
    this.#folder = folder;
    this.#left = left;
    this.#account = account;
    this.#events = events;
    this.#beat = setInterval(() => void this.#look(), BEAT_MS).unref();
  }

  get isLooking(): boolean {
    return this.#isLooking;
  }

  /** Looks at once, unless it has done so before. Never rejects. */
  async lookFirst(): Promise<void> {
    if (!this.#hasLooked) await this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#beat);
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    try {
      this.#account.findLeft(await this.#left.look());
      this.#events.found();
      if (!this.#hasLooked) this.#account.findOthers(await this.#folder.findOthersLeft());
    } catch (error) {
      this.#account.failToLook(error);
    }
    this.#hasLooked = true;
    this.#isLooking = false;
    this.#events.looked();
  }
}
