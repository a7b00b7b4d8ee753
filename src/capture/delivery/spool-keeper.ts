import type { DeliveryAccount } from "./delivery-account.js";
import { describeFault } from "./describe-fault.js";
import { keepRejects } from "./keep-rejects.js";
import { newLogId } from "./new-log-id.js";
import type { SpoolFolder } from "./spool-folder.js";

/** Keeps in the spool what this delivery does not send; what cannot be kept is counted as dropped. */
export class SpoolKeeper {
  readonly #folder: SpoolFolder | undefined;
  readonly #account: DeliveryAccount;
  readonly #maxBytes: number;
  readonly #now: () => number;

  constructor(
    folder: SpoolFolder | undefined,
    account: DeliveryAccount,
    maxBytes: number,
    now: () => number,
  ) {
    this.#folder = folder;
    this.#account = account;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** Lines that nobody will send. Gives the file in which they are now; undefined when they could not be kept. */
  async keepRejects(lines: readonly string[]): Promise<string | undefined> {
    let reason = "there is no spool to keep them in";
    try {
      const path = this.#folder?.path;
      if (path !== undefined) return await keepRejects(path, lines, this.#now(), this.#maxBytes);
    } catch (error) {
      reason = describeFault(error);
    }
    this.#account.drop("rejected", lines.length, `the sink refused them, and ${reason}`);
    return undefined;
  }

  /** A line that came after the end: the next process sends it. */
  keepLate(line: string): void {
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
}
