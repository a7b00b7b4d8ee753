import { findNearest, previewValue } from "./text.js";
import { EXIT, UserError } from "./user-error.js";

/** The longest delay of a timer of Node, some 25 days: with a longer one it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The name of each option: of a type, so that none is forgotten. */
export type KnownOptions<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws UserError (exit 2), which begins with `prefix`, when `given` has an option that is none of `known`:
 * a misspelt option would silently keep its default.
 */
export function requireKnownOptions(
  prefix: string,
  given: object,
  known: Readonly<Record<string, true>>,
): void {
  const names = Object.keys(known);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const meant = findNearestName(name, names);
    throw new UserError(
      `${prefix} there is no option ${previewValue(name)} (did you mean ${meant}?): use ${names.join(", ")}`,
      EXIT.usage,
    );
  }
}

/** Whether letters are capital is the commonest slip, and no distance. */
function findNearestName(name: string, names: readonly string[]): string | undefined {
  const small = names.map((each) => each.toLowerCase());
  const nearest = findNearest(name.toLowerCase(), small);
  return names.find((each) => each.toLowerCase() === nearest);
}

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
