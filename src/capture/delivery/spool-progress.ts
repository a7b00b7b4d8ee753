import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./spool-log.js";

const NAME = "done";
/** Always as long, so that a note covers the former one. */
const LENGTH = 40;
/** Not truncated: a process that dies between that and writing would have forgotten everything. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT;

/** Notes in a log's folder that all batches up to this one have arrived. Throws as node:fs does. */
export function writeProgress(folder: string, { segment, batch }: Place): void {
  const fd = openSync(join(folder, NAME), FLAGS, 0o600);
  try {
    writeSync(fd, `${`${segment} ${batch}`.padEnd(LENGTH - 1)}\n`, 0);
  } finally {
    closeSync(fd);
  }
}

/** The last batch that has arrived; where nobody noted it, a place before all. */
export function readProgress(folder: string): Place {
  let text = "";
  try {
    text = readFileSync(join(folder, NAME), "utf8");
  } catch {
    // Then batches are sent again, under their keys.
  }
  const [, segment, batch] = /^(\d+) (\d+) *\n$/.exec(text) ?? [];
  return { segment: Number(segment ?? 0), batch: Number(batch ?? 0) };
}
