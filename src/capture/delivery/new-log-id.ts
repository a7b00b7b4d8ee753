import { randomBytes } from "node:crypto";

/** An id that nobody else has. Begins with the time (Unix time in milliseconds): logs sort by their age. */
export function newLogId(now: number): string {
  const time = Math.max(0, Math.floor(now)).toString(36).padStart(9, "0");
  return `${time}-${randomBytes(6).toString("hex")}`;
}
