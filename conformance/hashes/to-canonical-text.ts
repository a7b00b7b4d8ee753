import canonicalize from "canonicalize";
import { UserError } from "../../src/user-error.js";

/**
 * The one text of a JSON value (RFC 8785). Throws UserError for a lone surrogate and for a number that is not
 * finite, which have none, and TypeError for what is no JSON value.
 */
export function toCanonicalText(value: unknown): string {
  const text = tryToCanonicalize(value);
  if (text === undefined) throw new TypeError("only JSON values have a canonical form");
  return text;
}

function tryToCanonicalize(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    const reason = error instanceof RangeError ? "it is nested too deep" : String(error);
    throw new UserError(`has no canonical form (RFC 8785): ${reason}`);
  }
}
