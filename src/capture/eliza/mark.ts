import type { Handler } from "./handler.js";

/** Of the process and not of this file, so that two copies of the package know each other's. */
const MARK = Symbol.for("rollout-wire.eliza.captured");

/**
 * Marks a function of ours. The mark is on the function, and not on the action that has it: a runtime may
 * copy actions when it registers them, and the copy has the function too.
 */
export function mark(handler: Handler): Handler {
  return Object.defineProperty(handler, MARK, { value: true });
}

export function isMarked(value: unknown): boolean {
  return typeof value === "function" && Object.hasOwn(value, MARK);
}
