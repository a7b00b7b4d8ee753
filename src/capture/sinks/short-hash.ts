import { createHash } from "node:crypto";

/** What tells a destination from others in a sink's id: the first 16 hexadecimal digits of its SHA-256. */
export function shortHash(destination: string): string {
  return createHash("sha256").update(destination).digest("hex").slice(0, 16);
}
