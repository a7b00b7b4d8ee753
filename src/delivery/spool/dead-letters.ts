import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { describeFault } from "../batch.js";
import type { DeliveryAccount } from "../ledger.js";
import { appendLines, toDay } from "../sinks/file.js";
import type { SpoolFolder } from "./folder.js";
import { newLogId } from "./names.js";

const PREFIX = "rejected-";

/**
 * Appends records that their destination refused to the file of the day, such as
 * `rejected-2026-01-31.jsonl`; gives its path. Throws as node:fs does, and when all such files hold
 * `maxBytes`.
 */
export async function keepRejects(
  folder: string,
  lines: readonly string[],
  now: number,
  maxBytes: number,
): Promise<string> {
  await access(folder).catch(() => makeFolder(folder, 0o700));
  let bytes = 0;
  for (const name of await readdir(folder)) {
    if (name.startsWith(PREFIX)) bytes += (await stat(join(folder, name))).size;
  }
  if (bytes >= maxBytes) throw new Error(`${folder} holds spoolMaxBytes (${maxBytes}) of them`);
  const path = join(folder, `${PREFIX}${toDay(now)}.jsonl`);
  // Who moves the file away may have read it before.
  while (!(await appendLines(path, lines)));
  return path;
}

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
