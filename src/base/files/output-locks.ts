import { rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EXIT, UserError } from "../user-error.js";
import { noteOutput } from "./ending-signals.js";
import {
  createOwned,
  giveSign,
  type Owned,
  readOwned,
  removeIfEmpty,
  removeOwned,
} from "./owned-folder.js";
import { createOwnerTag, hasOwnerEnded, isGone, readTagPid } from "./owners.js";
import { settleRun, sweepFolder } from "./recovery.js";
import { toLockPath } from "./run-files.js";
import { toWriteError } from "./source.js";

/** How often a run gives a sign of life, for those who cannot see its process. A tenth of the silence they wait for. */
const BEAT_MS = 60_000;

/** How often, and after which pauses, a lock is tried while another process removes what a killed run left behind. */
const ATTEMPTS = 100;
const PAUSE_MS = 50;

/** The locks of one run: while it holds the lock of an output, no other run writes that output. */
export class OutputLocks {
  /** In the names of all files of this run. */
  readonly tag = createOwnerTag();
  readonly #onRecovered: (line: string) => void;
  /** Outputs with their locks. */
  readonly #held = new Map<string, string>();
  readonly #swept = new Set<string>();
  #home = "";
  #beat: NodeJS.Timeout | undefined;

  /** `onRecovered` gets a line for each killed run whose outputs were completed. */
  constructor(onRecovered: (line: string) => void) {
    this.#onRecovered = onRecovered;
  }

  /** The folder of the journal: that of the first output; empty before that is locked. */
  get home(): string {
    return this.#home;
  }

  /**
   * Locks an output, given by its absolute path, unless this run has locked it. First settles what killed runs left in
   * its folder. Throws UserError: exit 2 if another run writes it, exit 3 if its folder cannot be written to.
   */
  async acquire(output: string): Promise<void> {
    if (this.#held.has(output)) return;
    noteOutput();
    const folder = dirname(output);
    this.sweep(folder);
    const path = toLockPath(output);
    this.#home ||= folder;
    try {
      await this.#take(output, path);
    } catch (error) {
      throw toWriteError(output, error);
    }
    this.#held.set(output, path);
    this.#beat ??= setInterval(() => this.#giveSign(), BEAT_MS).unref();
  }

  /** Settles what killed runs left in a folder: see `sweepFolder`. */
  sweep(folder: string): void {
    if (!this.#swept.has(folder)) sweepFolder(folder, this.#onRecovered);
    this.#swept.add(folder);
  }

  /** Throws UserError (exit 3) if another run has taken an output over, after a long sleep of this one. */
  requireHeld(): void {
    for (const [output, path] of this.#held) {
      if (readOwned(path)?.tag === this.tag) continue;
      throw new UserError(`${output}: another run has taken it over meanwhile: run again`);
    }
  }

  /** Unlocks all outputs. Never throws. */
  release(): void {
    clearInterval(this.#beat);
    this.#beat = undefined;
    for (const path of this.#held.values()) {
      try {
        removeOwned(path, this.tag);
      } catch {
        // The next run in this folder removes it.
      }
    }
    this.#held.clear();
  }

  async #take(output: string, path: string): Promise<void> {
    const folder = dirname(path);
    for (let attempt = 1; ; attempt += 1) {
      if (createOwned(path, this.tag, relative(folder, this.home))) return;
      const holder = readOwned(path) ?? NOBODY;
      if (!isGone(holder) || attempt === ATTEMPTS) throw inUse(output, path, holder);
      if (!this.#clear(path, holder)) await delay(PAUSE_MS);
    }
  }

  /** Removes the lock of a holder that has ended. Returns false if another process is already doing so. */
  #clear(path: string, holder: Owned): boolean {
    const { tag, text } = holder;
    if (tag !== undefined) return settleRun(dirname(path), { tag, text }, this.#onRecovered);
    if (holder === NOBODY) return removeIfEmpty(path);
    rmSync(path, { recursive: true, force: true });
    return true;
  }

  #giveSign(): void {
    for (const path of this.#held.values()) {
      try {
        giveSign(path, this.tag);
      } catch {
        // Someone removed the lock: `requireHeld` notices.
      }
    }
  }
}

/** Who holds a lock that was released just now. */
const NOBODY: Owned = { tag: undefined, text: "", seenAt: 0 };

function inUse(output: string, path: string, holder: Owned): UserError {
  const { tag, seenAt } = holder;
  const writer = tag === undefined ? "another process" : `process ${readTagPid(tag)}`;
  if (tag !== undefined && hasOwnerEnded(tag) === false) {
    return new UserError(
      `output ${output}: ${writer} is writing it: wait for it, or choose another output`,
      EXIT.usage,
    );
  }
  const seconds = Math.max(0, Math.round((Date.now() - seenAt) / 1000));
  return new UserError(
    `output ${output}: ${writer} of another machine or container is writing it (last sign of life ${seconds} s ago): wait for it, or remove ${path} if it has ended`,
    EXIT.usage,
  );
}
