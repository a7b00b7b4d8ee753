import type { Writable } from "node:stream";
import { type KnownOptions, requireKnownOptions } from "../../../../base/options.js";
import { EXIT, UserError } from "../../../../base/user-error.js";
import { type Batch, type Sink, SinkError, toLines } from "./sink.js";

/** Prints the records, one line of JSON each. */
export interface ConsoleSinkOptions {
  readonly type: "console";
  /** Default `stdout`. */
  readonly stream?: "stdout" | "stderr";
}

const OPTIONS: KnownOptions<ConsoleSinkOptions> = {
  type: true,
  stream: true,
};

/** Throws UserError (exit 2) for options that cannot work. */
export function createConsoleSink(options: ConsoleSinkOptions, target?: Writable): Sink {
  requireKnownOptions("sink:", options, OPTIONS);
  const { stream = "stdout" } = options;
  if (stream !== "stdout" && stream !== "stderr") {
    throw new UserError('sink: stream must be "stdout" or "stderr"', EXIT.usage);
  }
  return createStreamSink(stream, target ?? process[stream]);
}

function createStreamSink(stream: "stdout" | "stderr", target: Writable): Sink {
  const writeBatch = ({ lines }: Pick<Batch, "lines">): Promise<void> =>
    new Promise((resolve, reject) => {
      // A closed pipe fails twice: here, and as an event that would end the process.
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
