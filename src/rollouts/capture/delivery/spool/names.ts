import { randomBytes } from "node:crypto";

/** The owner of a log that any process may take. */
export const NOBODY = "nobody";

/** Prefix of a log's name until it is complete. */
const MAKING = "making-";
const LOG_NAME =
  /^(?:making-(?=[^.]*$))?(?<id>[a-z0-9]{9,}-[0-9a-f]{12})(?:\.(?<owner>[0-9a-f]{16}|nobody))?$/;

/** Name of the folder of a log that `owner` has. */
export function toLogName(id: string, owner: string): string {
  return `${id}.${owner}`;
}

/** Name of the folder of a log that is not complete yet, and has no owner. */
export function toUnfinishedName(id: string): string {
  return `${MAKING}${id}`;
}

/** The parts of a log's name. An unfinished log has no owner; any other file has no id either. */
export function parseLogName(name: string): { readonly id?: string; readonly owner?: string } {
  return LOG_NAME.exec(name)?.groups ?? {};
}

/** The time in the newest log id of this process. */
let latest = -1;

/**
 * A unique id that starts with a time, so that logs sort by age: `now` (Unix time in milliseconds), or a later time
 * if this process already created a log in that millisecond.
 */
export function newLogId(now: number): string {
  latest = Math.max(latest + 1, Math.floor(now));
  return `${latest.toString(36).padStart(9, "0")}-${randomBytes(6).toString("hex")}`;
}

/** Where a record is in a log. Both numbers start at 1. */
export interface LogPosition {
  readonly segment: number;
  readonly batch: number;
}

/** The key of a batch, wherever and whenever it is sent. */
export function toBatchKey(logId: string, { segment, batch }: LogPosition): string {
  return `${logId}-${segment}-${batch}`;
}

/** The id of the log in which the batch with this key is the first one. */
export function toLogId(key: string): string {
  return key.replace(/-1-1$/, "");
}

const SEGMENT_NAME = /^(\d{8,})\.jsonl$/;

/** File name of a log's segment, by its number from 1. */
export function toSegmentName(segment: number): string {
  return `${String(segment).padStart(8, "0")}.jsonl`;
}

/** The number of a segment by its file name; undefined for any other file. */
export function parseSegmentName(name: string): number | undefined {
  const digits = SEGMENT_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The name of a destination's folder. It stays within the spool, whatever the sink's id is. */
export function toFolderName(id: unknown): string {
  if (typeof id !== "string" || id === "") return "custom";
  const name = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_");
  return name.slice(0, 100);
}
