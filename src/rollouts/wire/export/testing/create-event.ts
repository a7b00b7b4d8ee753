import { isToolEvent, type ToolEvent } from "#generated/index.js";

/** A tool event for tests, checked against the schema. Throws TypeError if it is invalid. */
export function createEvent(value: unknown): ToolEvent {
  if (!isToolEvent(value)) throw new TypeError(`no tool event: ${JSON.stringify(value)}`);
  return value;
}
