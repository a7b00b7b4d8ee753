import { EXIT, UserError } from "../user-error.js";

/**
 * Throws UserError (exit 2), which begins with `option`, unless `value` is a number from `least` to `most`,
 * by default up to Infinity.
 */
export function requireNumber(
  option: string,
  value: unknown,
  least: number,
  most: number = Number.POSITIVE_INFINITY,
): void {
  if (typeof value === "number" && value >= least && value <= most) return;
  throw new UserError(`${option} must be a number from ${least}`, EXIT.usage);
}
