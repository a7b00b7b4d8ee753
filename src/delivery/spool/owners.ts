import { randomBytes } from "node:crypto";
import {
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../files/folders.js";
import { hasCode } from "../../files/source.js";
import { isJsonObject } from "../../json/value.js";
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
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return true;
    return findEnded(path) ?? this.#isSilent(owner, mtimeMs);
  }

  remove(owner: string): void {
    rmSync(this.#fileOf(owner), { force: true });
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

/** Identifies a process, also among those that get the same pid later or in another container. */
interface ProcessIdentity {
  readonly pid: number;
  /** Where the pid is valid: the boot of the machine and, on Linux, the pid namespace. */
  readonly space: string;
  /** When it started, in Linux clock ticks; null where the system does not say. */
  readonly start: string | null;
}

export function readOwnIdentity(): ProcessIdentity {
  return { pid: process.pid, space: readSpace(), start: readStart(process.pid) ?? null };
}

export function isProcessIdentity(value: unknown): value is ProcessIdentity {
  return (
    isJsonObject(value) &&
    Number.isSafeInteger(value.pid) &&
    typeof value.space === "string" &&
    (value.start === null || typeof value.start === "string")
  );
}

/**
 * Whether a process has ended. Undefined if this process cannot know: on another machine or container, or
 * where the system does not tell a process from a later one with the same pid.
 */
export function hasEnded(identity: ProcessIdentity): boolean | undefined {
  // To `kill`, a pid of 0 or below is a process group.
  if (identity.space !== readSpace() || identity.pid < 1) return undefined;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return true;
  }
  const start = readStart(identity.pid);
  if (start === undefined || identity.start === null) return undefined;
  return start !== identity.start;
}

/** Pids start again in each container; the number of the pid namespace tells containers apart. */
function readSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return `host ${hostname()}`;
  }
}

/** Field 22 of /proc/pid/stat, see proc(5); "ended" for a zombie. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in parentheses, with any characters.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? "ended" : rest[18];
  } catch {
    return undefined;
  }
}
