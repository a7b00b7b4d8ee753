import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../base/files/folders.js";
import { toDay } from "../../../base/text.js";
import { describeFault, type Ledger } from "./ledger.js";
import { appendLines } from "./sinks/file.js";

const PREFIX = "rejected-";

/** The files of records that are never sent again, one a day, such as `rejected-2026-01-31.jsonl`. */
export class DeadLetters {
  readonly #folder: string | undefined;
  readonly #ledger: Ledger;
  readonly #maxBytes: number;
  readonly #now: () => number;

  /** `folder` is undefined if there is no spool. All files together have at most about `maxBytes`. */
  constructor(folder: string | undefined, ledger: Ledger, maxBytes: number, now: () => number) {
    this.#folder = folder;
    this.#ledger = ledger;
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /**
   * Returns the file that has the lines now; undefined when they could not be kept, and were dropped. `cause` says
   * why they are not sent, and `records` how many records they are.
   */
  async keep(
    lines: readonly string[],
    cause = "the sink rejected them",
    records = lines.length,
  ): Promise<string | undefined> {
    let reason = "there is no spool to keep them in";
    try {
      if (this.#folder !== undefined) return await this.#append(this.#folder, lines);
    } catch (error) {
      reason = describeFault(error);
    }
    this.#ledger.drop("rejected", records, `${cause}, and ${reason}`);
    return undefined;
  }

  async #append(folder: string, lines: readonly string[]): Promise<string> {
    await access(folder).catch(() => makeFolder(folder, 0o700));
    let bytes = 0;
    for (const name of await readdir(folder)) {
      if (name.startsWith(PREFIX)) bytes += (await stat(join(folder, name))).size;
    }
    if (bytes >= this.#maxBytes) {
      throw new Error(`${folder} holds spoolMaxBytes (${this.#maxBytes}) of them`);
    }
    const path = join(folder, `${PREFIX}${toDay(this.#now())}.jsonl`);
    // Another process may have read the file and moved it away before the lines were written.
    while (!(await appendLines(path, lines)));
    return path;
  }
}
