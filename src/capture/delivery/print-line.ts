import { findUnwritable } from "../../json/print.js";
import { describeFault } from "./describe-fault.js";

/** A record as one line of JSON, without its newline. */
export interface PrintedLine {
  readonly line: string;
  /** What the line does not hold as the record does; undefined when there is nothing. */
  readonly altered: string | undefined;
}

/** Why a record cannot be printed. */
export interface UnprintableRecord {
  readonly reason: string;
}

/** Prints a record as it is now. Never throws, whatever its getters and `toJSON` do. */
export function printLine(record: unknown): PrintedLine | UnprintableRecord {
  try {
    const line: unknown = JSON.stringify(record);
    if (typeof line !== "string" || !line.startsWith("{")) return { reason: "it is no object" };
    return { line, altered: findAltered(record) };
  } catch (error) {
    return { reason: describeFault(error) };
  }
}

function findAltered(record: unknown): string | undefined {
  try {
    const found = findUnwritable(record);
    return found && `JSON cannot hold ${found.what} at "${found.pointer}"`;
  } catch (error) {
    return describeFault(error);
  }
}
