import { hasCode } from "./has-code.js";

/**
 * What `make` makes; undefined when a text in it would be longer than a string can be. (JSON writes a quote as two
 * characters and a control character as six, so that nobody knows before.)
 */
export function unlessTooLong<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (isTooLong(error)) return undefined;
    throw error;
  }
}

/** V8 throws a RangeError with this text, Node an error with this code. */
function isTooLong(error: unknown): boolean {
  if (error instanceof RangeError && error.message === "Invalid string length") return true;
  return hasCode(error, "ERR_STRING_TOO_LONG");
}
