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
/** Begins the name of a log while it is made at one go. */
const MAKING = "making-";
const LOG_NAME =
  /^(?:making-(?=[^.]*$))?(?<id>[a-z0-9]{9,}-[0-9a-f]{12})(?:\.(?<owner>[0-9a-f]{16}|nobody))?$/;

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
  readonly #root: string;
  readonly #destination: string;
  readonly #ownerId = randomBytes(8).toString("hex");
  readonly #now: () => number;
  /** When each owner's file was seen to change: times of this process's own clock. */
  readonly #signs = new Map<string, { readonly mtimeMs: number; readonly seenAt: number }>();
  #isRegistered = false;

  constructor(root: string, destination: string, now: () => number) {
    this.#root = root;
    this.#destination = destination;
    this.path = join(root, destination);
    this.#now = now;
  }

  /** Makes an empty log. Throws as node:fs does. */
  createLog(): LogFolder {
    const id = newLogId(this.#now());
    const path = join(this.path, `${id}.${this.#ownerId}`);
    this.#whileOthersLeave(() => {
      this.beat();
      mkdirSync(path, { mode: 0o700 });
    });
    return { id, path };
  }

  /**
   * Keeps lines, as the only batch of a log of their own; gives its folder. It is this process's, and with
   * `leave` that of any. Throws as node:fs does.
   */
  keep(id: string, lines: readonly string[], leave = false): string {
    const made = join(this.path, `${MAKING}${id}`);
    this.#whileOthersLeave(() => {
      if (leave) mkdirSync(this.path, { recursive: true, mode: 0o700 });
      else this.beat();
      mkdirSync(made, { mode: 0o700 });
    });
    writeFileSync(join(made, toSegmentName(1)), `${lines.join("\n")}\n`, { mode: 0o600 });
    const path = join(this.path, `${id}.${leave ? NOBODY : this.#ownerId}`);
    renameSync(made, path);
    return path;
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
    const owners = (await readdir(join(this.path, OWNERS))).filter((id) => id !== this.#ownerId);
    const alive = new Set(owners.filter((owner) => !this.#isGone(owner)));
    const claimed: LogFolder[] = [];
    for (const name of (await readdir(this.path)).sort()) {
      const { id, owner } = parseLogName(name);
      if (id === undefined || owner === this.#ownerId) continue;
      // An owner who came after the list was read has a file by now.
      const isGone =
        owner === undefined ? this.#isUnfinished(name) : !alive.has(owner) && this.#isGone(owner);
      if (isGone) claimed.push(...this.#take(name, id));
    }
    for (const owner of owners) {
      if (!alive.has(owner)) rmSync(this.#ownerPath(owner), { force: true });
    }
    return claimed;
  }

  /** Other destinations in the spool for which records wait that nobody sends. */
  async findOthersLeft(): Promise<string[]> {
    const found: string[] = [];
    for (const name of await readdir(this.#root).catch(() => [])) {
      if (name === this.#destination) continue;
      if (await new SpoolFolder(this.#root, name, this.#now).#isLeft()) found.push(name);
    }
    return found;
  }

  async #isLeft(): Promise<boolean> {
    const names = await readdir(this.path).catch(() => []);
    return names.some((name) => {
      const { owner } = parseLogName(name);
      return owner !== undefined && this.#isGone(owner);
    });
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

  /** Who ends removes folders that are empty, and another process may be about to fill one. */
  #whileOthersLeave(action: () => void): void {
    for (let tries = 1; ; tries += 1) {
      try {
        action();
        return;
      } catch (error) {
        const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
        if (!isGone || tries === 3) throw error;
      }
    }
  }

  /** Whether a log that was to be kept was left half-way, by a process that died. */
  #isUnfinished(name: string): boolean {
    const info = statSync(join(this.path, name), { throwIfNoEntry: false });
    return info !== undefined && this.#now() - info.mtimeMs >= LONG_SILENT_MS;
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

function parseLogName(name: string): { readonly id?: string; readonly owner?: string } {
  return LOG_NAME.exec(name)?.groups ?? {};
}
