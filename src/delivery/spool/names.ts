import { randomBytes } from "node:crypto";

/** Owner of a log that nobody writes. */
export const NOBODY = "nobody";

/** Begins the name of a log while it is made at one go. */
const MAKING = "making-";
const LOG_NAME =
  /^(?:making-(?=[^.]*$))?(?<id>[a-z0-9]{9,}-[0-9a-f]{12})(?:\.(?<owner>[0-9a-f]{16}|nobody))?$/;

/** Name of the folder of a log that `owner` has. */
export function toLogName(id: string, owner: string): string {
  return `${id}.${owner}`;
}

/** Name of the folder of a log that is being made, and that nobody has yet. */
export function toUnfinishedName(id: string): string {
  return `${MAKING}${id}`;
}

/** The parts of a log's name: one that is unfinished has no owner, any other file no id either. */
export function parseLogName(name: string): { readonly id?: string; readonly owner?: string } {
  return LOG_NAME.exec(name)?.groups ?? {};
}

/** An id that nobody else has. Begins with the time (Unix time in milliseconds): logs sort by their age. */
export function newLogId(now: number): string {
  const time = Math.max(0, Math.floor(now)).toString(36).padStart(9, "0");
  return `${time}-${randomBytes(6).toString("hex")}`;
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

/** A name for a destination's folder that stays within the spool, whatever the sink's id is. */
export function toFolderName(id: unknown): string {
  if (typeof id !== "string" || id === "") return "custom";
  const name = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\./, "_");
  return name.slice(0, 100);
}
