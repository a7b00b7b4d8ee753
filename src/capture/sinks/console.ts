import type { Writable } from "node:stream";
import type { Batch, Sink } from "./sink.js";
import { SinkError } from "./sink-error.js";
import { toLines } from "./to-lines.js";

/** Prints the records, one line of JSON each. */
export interface ConsoleSinkOptions {
  readonly type: "console";
  /** Default `stdout`. */
  readonly stream?: "stdout" | "stderr";
}

export function createConsoleSink(
  { stream = "stdout" }: ConsoleSinkOptions,
  target: Writable = process[stream],
): Sink {
  const writeBatch = ({ lines }: Pick<Batch, "lines">): Promise<void> =>
    new Promise((resolve, reject) => {
      // A pipe that nobody reads fails twice: here, and as an event that would end the process.
      const ignore = (): void => {};
      target.once("error", ignore);
      target.write(`${lines.join("\n")}\n`, (error) => {
        if (error) {
          setImmediate(() => target.off("error", ignore));
          reject(new SinkError("unavailable", `${stream} cannot be written: ${error.message}`));
        } else {
          target.off("error", ignore);
          resolve();
        }
      });
    });
  return {
    id: `console-${stream}`,
    name: stream,
    writeBatch,
    async write(records) {
      if (records.length > 0) await writeBatch({ lines: toLines(records) });
    },
    async close() {},
  };
}
