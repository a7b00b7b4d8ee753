import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "./source.js";

// Who owns a file, and whether that process is alive: the same for outputs, temporary folders and spools.

/**
 * Creates a part of a file's name that tells which process made the file, also among those that get the same pid later or
 * in another container: where its pid is valid (a hash), its pid, when it started, and a random part. Every call
 * returns another one.
 */
export function createOwnerTag(): string {
  const start = readStart(process.pid) ?? "x";
  return `${hashSpace()}-${process.pid}-${start}-${randomBytes(4).toString("hex")}`;
}

/** The form of an owner tag, as a regular expression. */
export const OWNER_TAG = "[0-9a-f]{16}-[0-9]+-(?:[0-9]+|x)-[0-9a-f]{8}";

const WHOLE_TAG = new RegExp(`^${OWNER_TAG}$`);

export function isOwnerTag(text: string): boolean {
  return WHOLE_TAG.test(text);
}

/** The pid in an owner tag. */
export function readTagPid(tag: string): number {
  return Number(tag.split("-")[1]);
}

/**
 * Whether the process of an owner tag has ended. Undefined if this process cannot know: on another machine or
 * container, or where the system does not tell a process from a later one with the same pid.
 */
export function hasOwnerEnded(tag: string): boolean | undefined {
  const [space, , started] = tag.split("-");
  const pid = readTagPid(tag);
  // To `kill`, a pid of 0 is a process group.
  if (space !== hashSpace() || pid === 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return true;
  }
  const start = readStart(pid);
  if (start === undefined || started === "x") return undefined;
  return start !== started;
}

/** An owner that cannot be checked, as on another machine, counts as ended after so long without a sign of life. */
export const SILENT_MS = 600_000;

/** The owner of something, and when it last gave a sign of life. */
export interface Owner {
  /** Undefined if what should name it is damaged. */
  readonly tag: string | undefined;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/**
 * Whether an owner has ended, so that what it owns may be taken over. `now`: milliseconds since 1970. `isSilent`: whether
 * one that cannot be checked counts as ended already.
 */
export function isGone(
  { tag, seenAt }: Owner,
  now: number = Date.now(),
  isSilent: boolean = now - seenAt >= SILENT_MS,
): boolean {
  const hasEnded = tag === undefined ? undefined : hasOwnerEnded(tag);
  return hasEnded ?? isSilent;
}

/** Where pids are valid: the boot of the machine and, on Linux, the pid namespace, because each container has pids of its own. */
function hashSpace(): string {
  return createHash("sha256").update(readSpace()).digest("hex").slice(0, 16);
}

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
