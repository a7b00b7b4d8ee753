import type { Ledger } from "./ledger.js";
import type { OrphanedLogs } from "./orphaned-logs.js";
import type { SpoolFolder } from "./spool/folder.js";

/** How often a process gives a sign of life, and looks for logs of processes that have ended. */
const BEAT_MS = 5_000;

/** Gives signs of life to other processes, and adopts the logs of those that give none. Keeps no process alive. */
export class Heartbeat {
  readonly #folder: SpoolFolder;
  readonly #orphans: OrphanedLogs;
  readonly #ledger: Ledger;
  readonly #wakeSender: () => void;
  readonly #timer: NodeJS.Timeout;
  #hasBeaten = false;
  #isBeating = false;
  #isStopped = false;

  constructor(folder: SpoolFolder, orphans: OrphanedLogs, ledger: Ledger, wakeSender: () => void) {
    this.#folder = folder;
    this.#orphans = orphans;
    this.#ledger = ledger;
    this.#wakeSender = wakeSender;
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref();
  }

  get isBeating(): boolean {
    return this.#isBeating;
  }

  /** The first beat, at once; nothing if there was one. Never rejects. */
  async start(): Promise<void> {
    if (!this.#hasBeaten) await this.#beat();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#isBeating || this.#isStopped) return;
    this.#isBeating = true;
    try {
      await this.#orphans.adopt();
      this.#ledger.noteSearchWorks();
      if (!this.#hasBeaten) {
        this.#ledger.noteOtherDestinations(await this.#folder.findOtherDestinations());
      }
    } catch (error) {
      this.#ledger.noteSearchFailed(error);
    }
    this.#hasBeaten = true;
    this.#isBeating = false;
    if (!this.#orphans.isEmpty) this.#wakeSender();
    this.#ledger.changed.notify();
  }
}
