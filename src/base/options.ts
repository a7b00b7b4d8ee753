import { findNearest, previewValue } from "./text.js";
import { EXIT, UserError } from "./user-error.js";

/** Node's longest timer delay, about 25 days. With a longer delay the timer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Every option name. The mapped type makes the compiler reject a missing one. */
export type KnownOptions<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Throws UserError (exit 2), prefixed with `prefix`, if `given` has an option that is not in `known`. Otherwise
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
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    throw new UserError(
      `${prefix} there is no option ${previewValue(name)}${hint}: use ${names.join(", ")}`,
      EXIT.usage,
    );
  }
}

/** Ignores case: wrong capitals are the most common slip. */
function findNearestName(name: string, names: readonly string[]): string | undefined {
  const small = names.map((each) => each.toLowerCase());
  const nearest = findNearest(name.toLowerCase(), small);
  return names.find((each) => each.toLowerCase() === nearest);
}

/**
 * Throws UserError (exit 2), prefixed with `option`, unless `value` is a number from `least` to `most`. `most`
 * defaults to Infinity.
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

/** Throws UserError (exit 2), prefixed with `option`, unless `value` is undefined or one of `choices`. */
export function requireChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || choices.some((choice) => choice === value)) return;
  throw new UserError(
    `${option} must be one of ${choices.join(", ")}, is ${previewValue(value)}`,
    EXIT.usage,
  );
}
