import { EXIT, UserError } from "../../../../base/user-error.js";
import { type ConsoleSinkOptions, createConsoleSink } from "./console.js";
import { createFileSink, type FileSinkOptions } from "./file.js";
import { createHttpSink, type HttpSinkOptions } from "./http.js";
import { isSink, type Sink } from "./sink.js";

/** Where a sink writes to: files, a server, or the console. */
export type SinkOptions = FileSinkOptions | HttpSinkOptions | ConsoleSinkOptions;

/**
 * Creates the sink that `given` describes. An object with `write` and `close` is a sink already and is
 * returned as it is. Opens nothing yet. Throws UserError (exit 2) for options that cannot work.
 */
export function createSink(given: SinkOptions | Sink): Sink {
  if (isSink(given)) return given;
  switch (given?.type) {
    case "file":
      return createFileSink(given);
    case "http":
      return createHttpSink(given);
    case "console":
      return createConsoleSink(given);
    default:
      throw new UserError(
        'sink: must be { type: "file" | "http" | "console", ... } or an object with write and close',
        EXIT.usage,
      );
  }
}
