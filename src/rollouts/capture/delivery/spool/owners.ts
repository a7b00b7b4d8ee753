import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../../../base/files/folders.js";
import {
  hasEnded,
  isProcessIdentity,
  readOwnIdentity,
} from "../../../../base/files/process-identity.js";
import { NOBODY } from "./names.js";

/** A process that cannot be checked counts as dead after so long without a sign of life. */
const SILENT_MS = 30_000;
/** The same by the file's time, which the clock of another machine may have set. */
const LONG_SILENT_MS = 600_000;

/** The processes that own logs in a spool, a file for each. This one has a file after its first sign of life. */
export class LogOwners {
  /** This process. */
  readonly ownId = randomBytes(8).toString("hex");
  /** The folder of the owners' files. */
  readonly path: string;
  readonly #now: () => number;
  /** When each owner's file was seen to change, by this process's clock. */
  readonly #signs = new Map<string, { readonly mtimeMs: number; readonly seenAt: number }>();
  #isRegistered = false;

  constructor(path: string, now: () => number) {
    this.path = path;
    this.#now = now;
  }

  /** Gives a sign of life. Throws as node:fs does. */
  beat(): void {
    const path = this.#fileOf(this.ownId);
    if (this.#isRegistered && existsSync(path)) {
      const seconds = this.#now() / 1000;
      utimesSync(path, seconds, seconds);
      return;
    }
    makeFolder(this.path, 0o700);
    writeFileSync(path, `${JSON.stringify(readOwnIdentity())}\n`, { mode: 0o600 });
    this.#isRegistered = true;
  }

  /** Removes this process. Returns false if it never gave a sign of life. */
  leave(): boolean {
    if (!this.#isRegistered) return false;
    this.#isRegistered = false;
    this.remove(this.ownId);
    return true;
  }

  /** All owners except this process. Throws as node:fs does. */
  async findOthers(): Promise<string[]> {
    return (await readdir(this.path)).filter((owner) => owner !== this.ownId);
  }

  /** Whether the owner's logs may be taken over. */
  isGone(owner: string): boolean {
    if (owner === NOBODY) return true;
    const path = this.#fileOf(owner);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return true;
    // To read a pipe in its place could take forever.
    const hasEnded = info.isFile() ? findEnded(path) : undefined;
    return hasEnded ?? this.#isSilent(owner, info.mtimeMs);
  }

  remove(owner: string): void {
    rmSync(this.#fileOf(owner), { force: true, recursive: true });
  }

  #isSilent(owner: string, mtimeMs: number): boolean {
    const now = this.#now();
    const sign = this.#signs.get(owner);
    if (sign?.mtimeMs === mtimeMs) {
      return now - sign.seenAt >= SILENT_MS || now - mtimeMs >= LONG_SILENT_MS;
    }
    this.#signs.set(owner, { mtimeMs, seenAt: now });
    return now - mtimeMs >= LONG_SILENT_MS;
  }

  #fileOf(owner: string): string {
    return join(this.path, owner);
  }
}

/** Whether the owner in a file has ended; undefined if that cannot be known. */
function findEnded(path: string): boolean | undefined {
  try {
    const identity: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isProcessIdentity(identity) ? hasEnded(identity) : undefined;
  } catch {
    return undefined;
  }
}
