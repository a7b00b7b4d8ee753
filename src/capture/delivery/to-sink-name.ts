import type { Sink } from "../sinks/sink.js";

/** The destination as messages name it. An object of the user's may have anything as its name. */
export function toSinkName({ name, id }: Sink): string {
  return [name, id].find((text) => typeof text === "string" && text !== "") ?? "the sink";
}
