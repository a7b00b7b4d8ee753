import { isJsonObject } from "../../json/value.js";

/** Ends a batch in a segment; begins as no record does. */
export const END_OF_BATCH = '["end of batch"]';

/** What stands in one file of a spool. */
export interface Segment {
  /** The records of each batch, in order; the last batch also ends with the file. */
  readonly batches: readonly string[][];
  /** Lines that are no records: damaged on the disk. */
  readonly damaged: readonly string[];
}

/**
 * Reads a segment that nobody writes any more. A last line without a newline is what a process wrote when
 * it died: it had not been taken over yet, and is left out.
 */
export function parseSegment(text: string): Segment {
  const lines = text.split("\n");
  lines.pop();
  const batches: string[][] = [];
  const damaged: string[] = [];
  let batch: string[] = [];
  const end = (): void => {
    batches.push(batch);
    batch = [];
  };
  for (const line of lines) {
    if (line === END_OF_BATCH) end();
    else if (isRecord(line)) batch.push(line);
    else damaged.push(line);
  }
  if (batch.length > 0) end();
  return { batches, damaged };
}

function isRecord(line: string): boolean {
  try {
    return isJsonObject(JSON.parse(line));
  } catch {
    return false;
  }
}
