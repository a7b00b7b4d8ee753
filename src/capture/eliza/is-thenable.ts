import { readField } from "../read-field.js";

/** Whether awaiting `value` is more than taking it. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isObject = typeof value === "object" || typeof value === "function";
  return isObject && typeof readField(value, "then") === "function";
}
