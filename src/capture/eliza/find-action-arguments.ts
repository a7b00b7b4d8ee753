import { readField } from "../read-field.js";

/** What the runtime adds to the options of every action. */
const OF_THE_RUNTIME = new Set(["actionContext", "actionPlan", "onStreamChunk"]);

/**
 * What an action was called with: the parameters that the model chose (`state.data.actionParams`), under the
 * options that the caller gave. The runtime's own part of the options is left out, as is the rest of the
 * state. A value of its own; it shares what the fields hold.
 */
export function findActionArguments(state: unknown, options: unknown): object {
  const chosen = readField(readField(state, "data"), "actionParams");
  const given = listFields(options).filter(([key]) => !OF_THE_RUNTIME.has(key));
  return Object.fromEntries([...listFields(chosen), ...given]);
}

function listFields(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  try {
    return Object.keys(value).map((key) => [key, readField(value, key)]);
  } catch {
    return [];
  }
}
