import type { Batch } from "./sinks/sink.js";
import type { Place, SpoolLog } from "./spool/log.js";

/** Where a batch stands on disk. */
export interface SavedPlace {
  readonly log: SpoolLog;
  readonly place: Place;
}

/** A batch that waits in memory; it may grow until it is sent. */
export interface QueuedBatch extends Batch {
  readonly lines: string[];
  /** UTF-8 bytes of the lines. */
  bytes: number;
  /** Its place in the log; undefined when the disk failed. */
  readonly saved: SavedPlace | undefined;
  /** Where it was saved when the disk worked again: a folder of its own. */
  aside: string | undefined;
}

/** Batches that are to be sent one after the other. */
export interface BatchSource {
  /**
   * The first batch that is not done; undefined when there is none. Nothing is added to it any more. Throws
   * SpoolUnreadableError when it cannot be read now, and is to be asked for again.
   */
  next(): Promise<Batch | undefined>;
  /** The batch that `next` gave need not be sent again. */
  finish(): void;
}

/** Stays the same for a batch wherever and whenever it is sent. */
export function toBatchKey(log: string, { segment, batch }: Place): string {
  return `${log}-${segment}-${batch}`;
}

/** Longest message, in characters. */
const MAX_LENGTH = 500;

/** What was thrown, as the first line of a message. Even that may be anything, and its message a getter. */
export function describeFault(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return (message.split("\n", 1)[0] ?? "").slice(0, MAX_LENGTH);
  } catch {
    return "an error that cannot be printed";
  }
}
