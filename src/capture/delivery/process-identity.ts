import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../../files/source.js";
import { isJsonObject } from "../../json/value.js";

/** What tells a process from all others, also from those that have its number later or elsewhere. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Where the number is one: the run of the machine and, on Linux, the namespace of process ids. */
  readonly space: string;
  /** When it began, as Linux counts it; null where the system does not say. */
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
 * Whether a process has ended, as far as this one can know; undefined when it cannot: of another machine
 * or container, or where the system does not tell a process from one that has its number now.
 */
export function hasEnded(identity: ProcessIdentity): boolean | undefined {
  // A pid of 0 or below is a group of processes to `kill`.
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

/** In a container the process ids begin anew; the namespace's number tells one container from another. */
function readSpace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return `host ${hostname()}`;
  }
}

/** Field 22 of proc(5) stat; "ended" for one that waits to be collected by its parent. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in brackets that may hold anything.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? "ended" : rest[18];
  } catch {
    return undefined;
  }
}
