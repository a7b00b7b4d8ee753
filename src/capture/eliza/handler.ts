/** A method of the runtime's, of an action's or of a service's, of whose arguments nothing is assumed. */
export type Handler = (this: unknown, ...args: unknown[]) => unknown;

export function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}
