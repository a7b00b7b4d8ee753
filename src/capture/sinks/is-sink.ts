import type { Sink } from "./sink.js";

/** Whether `given` can be written to; any class may be. */
export function isSink(given: unknown): given is Sink {
  return (
    typeof given === "object" &&
    given !== null &&
    "write" in given &&
    typeof given.write === "function" &&
    "close" in given &&
    typeof given.close === "function"
  );
}
