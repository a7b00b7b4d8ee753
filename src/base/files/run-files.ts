import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OWNER_TAG } from "./owners.js";

// The files that a run keeps beside its outputs until it ends. Each name but that of a lock contains the owner tag
// of the run, so no two runs share one, and a later run can tell whose files remain after SIGKILL.

const PREFIX = ".rollout-wire-";

/** The lock of an output: an owned folder, as long as a run may write the output. Its text is the folder of the journal. */
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

/** The list of renames of a run: an owned folder, while they are made. */
export function toJournalPath(home: string, tag: string): string {
  return join(home, `${PREFIX}${tag}.journal`);
}

/** Names of outputs may be as long as the file system permits, so they are hashed. */
function hashName(output: string): string {
  return createHash("sha256").update(basename(output)).digest("hex").slice(0, 16);
}

const LOCK_NAME = /^\.rollout-wire-[0-9a-f]{16}\.lock$/;
const TAGGED_NAME = new RegExp(
  `^\\.rollout-wire-(?:[0-9a-f]{16}\\.)?${OWNER_TAG}\\.(?:tmp|old|journal)$`,
);

export function isLockName(name: string): boolean {
  return LOCK_NAME.test(name);
}

/** Whether the run `tag` stages a file under this name. */
export function isStagedName(name: string, tag: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith(`.${tag}.tmp`);
}

/** Whether a run keeps a file of this name beside its outputs. */
export function isRunFile(name: string): boolean {
  return isLockName(name) || TAGGED_NAME.test(name);
}

/** Whether a file belongs to the user of this process. Where there are no users, every file does. */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
