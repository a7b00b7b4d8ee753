import { createHash } from "node:crypto";
import {
  lstatSync,
  readFileSync,
  readlinkSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { hasOwnerEnded, OWNER_TAG } from "./process-identity.js";
import { hasCode } from "./source.js";

// The files that a run keeps beside its outputs until it ends. Each name but that of a lock contains the owner tag
// of the run, so no two runs share one, and a later run can tell whose files remain after SIGKILL.

const PREFIX = ".rollout-wire-";

/** The lock of an output. It exists as long as a run may write the output. */
export function toLockPath(output: string): string {
  return join(dirname(output), `${PREFIX}${hashName(output)}.lock`);
}

/** The new content of an output until it is renamed into place. */
export function toStagedPath(output: string, tag: string): string {
  return join(dirname(output), `${PREFIX}${hashName(output)}.${tag}.tmp`);
}

/** A second name of the former file while the new one is renamed into place. */
export function toFormerPath(output: string, tag: string): string {
  return join(dirname(output), `${PREFIX}${hashName(output)}.${tag}.old`);
}

/** The list of renames of a run. It exists while they are made. */
export function toJournalPath(home: string, tag: string): string {
  return join(home, `${PREFIX}${tag}.journal`);
}

/** The lock of those who complete or remove what the run `tag` left behind. */
export function toGuardPath(home: string, tag: string): string {
  return join(home, `${PREFIX}${tag}.guard`);
}

/** Names of outputs may be as long as the file system permits, so they are hashed. */
function hashName(output: string): string {
  return createHash("sha256").update(basename(output)).digest("hex").slice(0, 16);
}

const LOCK_NAME = /^\.rollout-wire-[0-9a-f]{16}\.lock$/;
const TAGGED_NAME = new RegExp(
  `^\\.rollout-wire-(?:[0-9a-f]{16}\\.)?(${OWNER_TAG})\\.(tmp|old|journal|guard)$`,
);

export function isLockName(name: string): boolean {
  return LOCK_NAME.test(name);
}

/** The owner tag and the kind of a file, from its name; undefined for a lock and for files of others. */
export function parseRunFile(
  name: string,
): { readonly tag: string; readonly kind: string } | undefined {
  const [, tag, kind] = TAGGED_NAME.exec(name) ?? [];
  return tag === undefined || kind === undefined ? undefined : { tag, kind };
}

/** Whether a run keeps a file of this name beside its outputs. */
export function isRunFile(name: string): boolean {
  return isLockName(name) || parseRunFile(name) !== undefined;
}

/** Whether a file belongs to the user of this process. Where there are no users, every file does. */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Who holds a lock or guard. */
export interface Holder {
  /** Undefined if the lock is damaged. */
  readonly tag: string | undefined;
  /** Absolute path of the folder of its journal. */
  readonly home: string;
  /** Its last sign of life, in milliseconds since 1970. */
  readonly seenAt: number;
}

/** Errors of file systems without symbolic links, and of Node's permission model. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "ERR_ACCESS_DENIED"];

/**
 * Creates a lock. Returns false if it exists. A symbolic link to nowhere is created with its content in one step,
 * which no file is; only a file system without them gets a file. Throws the errors of node:fs.
 */
export function createLock(path: string, tag: string, home: string): boolean {
  const content = `${tag} ${relative(dirname(path), home)}`;
  try {
    try {
      symlinkSync(content, path);
    } catch (error) {
      if (!NO_LINKS.some((code) => hasCode(error, code))) throw error;
      writeFileSync(path, content, { flag: "wx" });
    }
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

const LOCK_CONTENT = new RegExp(`^(${OWNER_TAG}) (.*)$`, "s");

/** Returns who holds a lock; undefined if nobody does. Throws the errors of node:fs. */
export function readLock(path: string): Holder | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  let content = "";
  try {
    if (found.isSymbolicLink()) content = readlinkSync(path);
    else if (found.isFile()) content = readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const [, tag, home = ""] = LOCK_CONTENT.exec(content) ?? [];
  return { tag, home: resolve(dirname(path), home), seenAt: found.mtimeMs };
}

/** A run that cannot be checked, as on another machine, counts as ended after so long without a sign of life. */
const SILENT_MS = 600_000;

/** Whether the run that holds a lock has ended, so that its files may be removed. */
export function isGone({ tag, seenAt }: Holder): boolean {
  const ended = tag === undefined ? undefined : hasOwnerEnded(tag);
  return ended ?? Date.now() - seenAt >= SILENT_MS;
}
