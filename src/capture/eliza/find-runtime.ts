import { readField } from "../read-field.js";
import { isHandler } from "./handler.js";

/**
 * The runtime that `init` was called with: as its second argument, which the runtime does, in an object as
 * `runtime`, or alone. Undefined when there is none.
 */
export function findRuntime(config: unknown, runtime: unknown): object | undefined {
  return [runtime, readField(config, "runtime"), config].find(isRuntime);
}

function isRuntime(value: unknown): value is object {
  const isList = Array.isArray(readField(value, "actions"));
  return isList || isHandler(readField(value, "registerAction"));
}
