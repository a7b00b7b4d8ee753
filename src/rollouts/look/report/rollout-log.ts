import { join } from "node:path";
import { ScratchFile } from "../../../base/files/scratch-file.js";
import type { PackedRollout, RolloutRow } from "./report-data.js";

/** A rollout as it is collected: its line of the list, and what is packed. */
export interface LoggedRollout {
  readonly row: RolloutRow;
  readonly packed: PackedRollout;
}

/** Where a rollout is in the log, and what decides whether it comes into a page that has no room for all. */
export interface LogEntry extends Pick<RolloutRow, "errors" | "warnings" | "contaminated" | "gap"> {
  readonly offset: number;
  readonly length: number;
}

/** Rollouts on disk, so that memory does not grow with their lengths. */
export class RolloutLog {
  readonly #file: ScratchFile;
  readonly #entries: LogEntry[] = [];

  /** Throws UserError (exit 3) if the file cannot be created in `folder`. */
  constructor(folder: string) {
    this.#file = new ScratchFile(join(folder, "rollouts"));
  }

  /** In the order in which they were added. */
  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  /** Throws UserError (exit 3) if the disk is full. */
  add(rollout: LoggedRollout): void {
    this.#entries.push(this.#write(rollout));
  }

  replace(index: number, rollout: LoggedRollout): void {
    this.#entries[index] = this.#write(rollout);
  }

  read({ offset, length }: LogEntry): LoggedRollout {
    const bytes = Buffer.alloc(length);
    this.#file.readAt(offset, bytes);
    return JSON.parse(bytes.toString("utf8"));
  }

  close(): void {
    this.#file.close();
  }

  #write(rollout: LoggedRollout): LogEntry {
    const { errors, warnings, contaminated, gap } = rollout.row;
    const bytes = Buffer.from(JSON.stringify(rollout));
    const offset = this.#file.length;
    this.#file.write(bytes);
    return { offset, length: bytes.length, errors, warnings, contaminated, gap };
  }
}
