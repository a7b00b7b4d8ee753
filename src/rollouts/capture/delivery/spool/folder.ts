import {
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../../base/files/folders.js";
import { SILENT_MS } from "../../../../base/files/owners.js";
import { hasCode } from "../../../../base/files/source.js";
import {
  NOBODY,
  newLogId,
  parseLogName,
  toLogName,
  toSegmentName,
  toUnfinishedName,
} from "./names.js";
import { LogOwners } from "./owners.js";
import { NO_PROGRESS, writeProgress } from "./progress.js";
import { printHeader, printRecord } from "./segment.js";

/** The folder of a log that has an owner. */
export interface LogFolder {
  readonly id: string;
  readonly path: string;
}

/**
 * The folder of one destination in a spool that several processes share:
 *
 *     <log>.<owner>/00000001.jsonl    a log (`segment.ts`); only `owner` writes, reads and removes it
 *     <log>.<owner>/done              what has arrived of it (`progress.ts`)
 *     owners/<owner>/                 which process the owner is, and its last sign of life (`owned-folder.ts`)
 *     rejected-2026-01-31.jsonl       dead letters
 *
 * A log changes owner by a rename, which succeeds in exactly one process.
 */
export class SpoolFolder {
  readonly path: string;
  readonly #root: string;
  readonly #destination: string;
  readonly #owners: LogOwners;
  readonly #now: () => number;

  constructor(root: string, destination: string, now: () => number) {
    this.#root = root;
    this.#destination = destination;
    this.path = join(root, destination);
    this.#owners = new LogOwners(join(this.path, "owners"), now);
    this.#now = now;
  }

  /** Makes an empty log. Throws as node:fs does. */
  createLog(): LogFolder {
    const id = newLogId(this.#now());
    const path = this.#ownPath(id);
    this.#againIfRemoved(() => {
      this.beat();
      mkdirSync(path, { mode: 0o700 });
    });
    return { id, path };
  }

  /**
   * Keeps lines as the only batch of a log of their own, and returns its folder. This process owns it;
   * with `leave`, any process may take it. Throws as node:fs does.
   */
  keep(id: string, lines: readonly string[], leave = false): string {
    const unfinished = join(this.path, toUnfinishedName(id));
    const place = { log: id, segment: 1 };
    const written = lines.length;
    const records = lines.map((line, index) => {
      return printRecord(place, { record: index + 1, batch: 1, line });
    });
    this.#againIfRemoved(() => {
      if (leave) makeFolder(this.path, 0o700);
      else this.beat();
      // Left by an attempt for which the disk had no room.
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { mode: 0o700 });
    });
    const text = `${printHeader(place)}${records.join("")}`;
    writeFileSync(join(unfinished, toSegmentName(1)), text, { mode: 0o600 });
    writeProgress(unfinished, id, { ...NO_PROGRESS, written, isClosed: true });
    const path = leave ? join(this.path, toLogName(id, NOBODY)) : this.#ownPath(id);
    renameSync(unfinished, path);
    return path;
  }

  /** Gives a sign of life. Throws as node:fs does. */
  beat(): void {
    this.#owners.beat();
  }

  /** Gives a sign of life, and takes over the logs of owners that are gone, oldest first. Throws as node:fs does. */
  async claim(): Promise<LogFolder[]> {
    if (!existsSync(this.path)) return [];
    this.beat();
    const others = await this.#owners.findOthers();
    const alive = new Set(others.filter((owner) => !this.#owners.isGone(owner)));
    const claimed: LogFolder[] = [];
    for (const name of (await readdir(this.path)).sort()) {
      const { id, owner } = parseLogName(name);
      if (id === undefined || owner === this.#owners.ownId) continue;
      // An owner that registered after the list was read has a file by now.
      const isGone =
        owner === undefined
          ? this.#isAbandoned(name)
          : !alive.has(owner) && this.#owners.isGone(owner);
      if (isGone) claimed.push(...this.#take(name, id));
    }
    for (const owner of others) if (!alive.has(owner)) this.#owners.remove(owner);
    return claimed;
  }

  /** Other destinations in the spool with orphaned logs. */
  async findOtherDestinations(): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.#root).catch(() => [])) {
      if (name === this.#destination) continue;
      if (await new SpoolFolder(this.#root, name, this.#now).#hasOrphans()) found.push(name);
    }
    return found;
  }

  async #hasOrphans(): Promise<boolean> {
    const names = await readdir(this.path).catch(() => []);
    return names.some((name) => {
      const { owner } = parseLogName(name);
      return owner !== undefined && this.#owners.isGone(owner);
    });
  }

  /** Whether any process owns the log. Throws as node:fs does, except if there is no such folder. */
  async hasLog(id: string): Promise<boolean> {
    const names = await readdir(this.path).catch((error) => {
      if (hasCode(error, "ENOENT")) return [];
      throw error;
    });
    return names.map(parseLogName).some((log) => log.id === id && log.owner !== undefined);
  }

  /** Lets any process take this one's logs. */
  release(): void {
    if (!this.#owners.leave()) return;
    for (const path of [this.#owners.path, this.path]) {
      try {
        rmdirSync(path);
      } catch {
        // Other processes use it.
        return;
      }
    }
  }

  /** A process that ends removes empty folders, perhaps one that this process was about to use. */
  #againIfRemoved(action: () => void): void {
    for (let tries = 1; ; tries += 1) {
      try {
        action();
        return;
      } catch (error) {
        if (!hasCode(error, "ENOENT") || tries === 3) throw error;
      }
    }
  }

  /** Whether the process that was making this log died before it was complete. */
  #isAbandoned(name: string): boolean {
    const info = statSync(join(this.path, name), { throwIfNoEntry: false });
    return info !== undefined && this.#now() - info.mtimeMs >= SILENT_MS;
  }

  #take(name: string, id: string): LogFolder[] {
    const path = this.#ownPath(id);
    try {
      renameSync(join(this.path, name), path);
    } catch {
      // Another process was faster.
      return [];
    }
    return [{ id, path }];
  }

  #ownPath(id: string): string {
    return join(this.path, toLogName(id, this.#owners.ownId));
  }
}
