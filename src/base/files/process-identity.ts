import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isJsonObject } from "../json/value.js";
import { hasCode } from "./source.js";

/** Identifies a process, also among those that get the same pid later or in another container. */
export interface ProcessIdentity {
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

/**
 * Creates a part of a file's name that tells which process made the file: where its pid is valid (a hash), pid,
 * start, and a random part. Every call returns another one.
 */
export function createOwnerTag(): string {
  const { pid, space, start } = readOwnIdentity();
  return `${hashSpace(space)}-${pid}-${start ?? "x"}-${randomBytes(4).toString("hex")}`;
}

/** The form of an owner tag, as a regular expression. */
export const OWNER_TAG = "[0-9a-f]{16}-[0-9]+-(?:[0-9]+|x)-[0-9a-f]{8}";

/** The pid in an owner tag. */
export function readTagPid(tag: string): number {
  return Number(tag.split("-")[1]);
}

/** Whether the process of an owner tag has ended; undefined as for `hasEnded`, and for any other text. */
export function hasOwnerEnded(tag: string): boolean | undefined {
  const [hash, pid, start] = tag.split("-");
  const space = readSpace();
  if (hash !== hashSpace(space)) return undefined;
  return hasEnded({
    pid: Number(pid),
    space,
    start: start === undefined || start === "x" ? null : start,
  });
}

function hashSpace(space: string): string {
  return createHash("sha256").update(space).digest("hex").slice(0, 16);
}
