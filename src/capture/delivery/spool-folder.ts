import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { newLogId } from "./new-log-id.js";
import { hasEnded, isProcessIdentity, readOwnIdentity } from "./process-identity.js";
import { toSegmentName } from "./segment-name.js";

/** A log's folder, as it is named while somebody has it. */
export interface LogFolder {
  readonly id: string;
  readonly path: string;
}

/** A process that cannot be asked is taken for dead when it gave no sign of life for so long. */
const SILENT_MS = 30_000;
/** As above by the file's own time, which another machine's clock may have set. */
const LONG_SILENT_MS = 600_000;
/** Owner of a log that nobody writes. */
const NOBODY = "nobody";
const OWNERS = "owners";

/**
 * The folder of one destination in a spool that several processes share:
 *
 *     <log>.<owner>/00000001.jsonl    a log, of which `owner` alone writes, reads and removes
 *     owners/<owner>                  who that is; its time is the last sign of life
 *     rejected-2026-01-31.jsonl       what the destination refused
 *
 * A log changes hands by a rename, which exactly one process can do.
 */
export class SpoolFolder {
  readonly path: string;
  readonly #ownerId = randomBytes(8).toString("hex");
  readonly #now: () => number;
  /** When each owner's file was seen to change: times of this process's own clock. */
  readonly #signs = new Map<string, { readonly mtimeMs: number; readonly seenAt: number }>();
  #isRegistered = false;

  constructor(root: string, destination: string, now: () => number) {
    this.path = join(root, destination);
    this.#now = now;
  }

  /** Makes an empty log. Throws as node:fs does. */
  createLog(): LogFolder {
    this.beat();
    const id = newLogId(this.#now());
    const path = join(this.path, `${id}.${this.#ownerId}`);
    mkdirSync(path, { mode: 0o700 });
    return { id, path };
  }

  /** Keeps lines, as one batch of a log of their own, for any process. Throws as node:fs does. */
  leave(id: string, lines: readonly string[]): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const made = join(this.path, `making-${id}`);
    mkdirSync(made, { mode: 0o700 });
    writeFileSync(join(made, toSegmentName(1)), `${lines.join("\n")}\n`, { mode: 0o600 });
    renameSync(made, join(this.path, `${id}.${NOBODY}`));
  }

  /** Gives a sign of life. Throws as node:fs does. */
  beat(): void {
    const path = this.#ownerPath(this.#ownerId);
    if (this.#isRegistered && existsSync(path)) {
      const seconds = this.#now() / 1000;
      utimesSync(path, seconds, seconds);
      return;
    }
    mkdirSync(join(this.path, OWNERS), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${JSON.stringify(readOwnIdentity())}\n`, { mode: 0o600 });
    this.#isRegistered = true;
  }

  /** Takes over the logs of those who are gone, oldest first. Throws as node:fs does. */
  async claim(): Promise<LogFolder[]> {
    if (!existsSync(this.path)) return [];
    this.beat();
    const claimed: LogFolder[] = [];
    const gone = new Map<string, boolean>();
    for (const name of (await readdir(this.path)).sort()) {
      const [, id, owner] = /^([a-z0-9-]+)\.([a-z0-9]+)$/.exec(name) ?? [];
      if (id === undefined || owner === undefined || owner === this.#ownerId) continue;
      const isGone = gone.get(owner) ?? this.#isGone(owner);
      gone.set(owner, isGone);
      if (isGone) claimed.push(...this.#take(name, id));
    }
    for (const [owner, isGone] of gone) {
      if (isGone && owner !== NOBODY) rmSync(this.#ownerPath(owner), { force: true });
    }
    return claimed;
  }

  /** Whether somebody has the log. */
  async hasLog(id: string): Promise<boolean> {
    const names = await readdir(this.path).catch(() => []);
    return names.some((name) => name.startsWith(`${id}.`));
  }

  /** What this process had is everybody's from now on. */
  release(): void {
    if (!this.#isRegistered) return;
    this.#isRegistered = false;
    rmSync(this.#ownerPath(this.#ownerId), { force: true });
    for (const path of [join(this.path, OWNERS), this.path]) {
      try {
        rmdirSync(path);
      } catch {
        // Others are in it.
        return;
      }
    }
  }

  #take(name: string, id: string): LogFolder[] {
    const path = join(this.path, `${id}.${this.#ownerId}`);
    try {
      renameSync(join(this.path, name), path);
    } catch {
      // Another process was first.
      return [];
    }
    return [{ id, path }];
  }

  #isGone(owner: string): boolean {
    if (owner === NOBODY) return true;
    const path = this.#ownerPath(owner);
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === undefined) return true;
    return this.#hasEnded(path) ?? this.#isSilent(owner, mtimeMs);
  }

  #hasEnded(path: string): boolean | undefined {
    try {
      const identity: unknown = JSON.parse(readFileSync(path, "utf8"));
      return isProcessIdentity(identity) ? hasEnded(identity) : undefined;
    } catch {
      return undefined;
    }
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

  #ownerPath(owner: string): string {
    return join(this.path, OWNERS, owner);
  }
}
