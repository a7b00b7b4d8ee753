import { nextDouble } from "../../schema/exact-numbers.js";
import type { Constraint } from "../logic/formula.js";
import { found, NONE, type Solution, unknown } from "../logic/solution.js";
import {
  divideDown,
  isLess,
  isMultiple,
  leastCommonMultiple,
  multiply,
  valueSetOf,
} from "../logic/values.js";
import { excludedValues, ofKind } from "./type-solver.js";

/** Limit on the multiples that are tried. */
const MAX_TRIES = 1000n;

/** Validators in other languages may calculate with them. */
const NO_DOUBLE = "numbers that no double holds";

interface Bound {
  readonly bound: number;
  readonly exclusive: boolean;
}

interface Demands {
  readonly lower: Bound;
  readonly upper: Bound;
  readonly excluded: readonly unknown[];
  readonly notMultiplesOf: readonly number[];
}

export function solveNumber(constraints: readonly Constraint[]): Solution {
  const multiples = ofKind(constraints, "multiple");
  const demands: Demands = {
    lower: tightest(ofKind(constraints, "minimum"), Number.NEGATIVE_INFINITY, (a, b) => a > b),
    upper: tightest(ofKind(constraints, "maximum"), Number.POSITIVE_INFINITY, (a, b) => a < b),
    excluded: excludedValues(constraints),
    notMultiplesOf: multiples.filter(({ holds }) => !holds).map(({ of }) => of),
  };
  const { lower, upper } = demands;
  if (lower.bound > upper.bound) return NONE;
  if (lower.bound === upper.bound && (lower.exclusive || upper.exclusive)) return NONE;
  const held = multiples.filter(({ holds }) => holds);
  return solveSteps(
    held.map(({ of }) => of),
    demands,
  );
}

function solveSteps([first, ...others]: readonly number[], demands: Demands): Solution {
  if (first === undefined) return solveReal(demands);
  const step = others.reduce(leastCommonMultiple, first);
  if (demands.notMultiplesOf.some((of) => isMultiple(step, of))) return NONE;
  return solveMultiple(step, demands);
}

function tightest(
  bounds: readonly Bound[],
  none: number,
  isTighter: (one: number, other: number) => boolean,
): Bound {
  let tightest: Bound = { bound: none, exclusive: false };
  for (const each of bounds) {
    const same = each.bound === tightest.bound;
    if (isTighter(each.bound, tightest.bound) || (same && each.exclusive)) tightest = each;
  }
  return tightest;
}

function solveReal(demands: Demands): Solution {
  const { lower, upper, notMultiplesOf, excluded } = demands;
  if (lower.bound === upper.bound) {
    return isWanted(lower.bound, demands) ? found(lower.bound) : NONE;
  }
  const low = Number.isFinite(lower.bound) ? lower.bound : Math.min(0, upper.bound) - 1000;
  const high = Number.isFinite(upper.bound) ? upper.bound : Math.max(0, lower.bound) + 1000;
  const fractions = [2, 3, 4, 5, 7, 8, 10, 16, 32, 64, 128, 1024];
  const candidates = [
    ...[0, 1, -1, 0.5, -0.5, 1.5, low, high, Math.ceil(low) + 1, Math.floor(high) - 1],
    ...notMultiplesOf.flatMap((of) => [of / 2, Math.ceil(low) + of / 2, low + of / 2]),
    ...fractions.map((part) => low + (high - low) / part),
    ...excluded.map((_, index) => low + (high - low) / (index + 2.5)),
  ];
  const value = candidates.find((candidate) => isWanted(candidate, demands));
  if (value !== undefined) return found(value);
  const middle = (lower.bound + upper.bound) / 2;
  const areNeighbours = middle === lower.bound || middle === upper.bound;
  return unknown(areNeighbours ? NO_DOUBLE : "a number between close bounds");
}

function solveMultiple(step: number, demands: Demands): Solution {
  const { lower, upper, excluded } = demands;
  const first = Number.isFinite(lower.bound) ? divideDown(lower.bound, step) : undefined;
  const last = Number.isFinite(upper.bound) ? divideDown(upper.bound, step) + 1n : undefined;
  // Starts at the multiple closest to zero.
  const start = clamp(0n, first, last);
  const tries = MAX_TRIES + BigInt(excluded.length);
  const large = findLarge(step, demands);
  if (large !== undefined) return found(large);
  let hasGap = false;
  for (let distance = 0n; distance <= tries; distance += 1n) {
    const ends = [start + distance, start - distance];
    const [up = 0n, down = 0n] = ends;
    for (const factor of distance === 0n ? [start] : ends) {
      const value = multiply(step, factor);
      if (value !== undefined && isWanted(value, demands)) return found(value);
      if (value === undefined && isBetween(step, factor, demands)) hasGap = true;
    }
    if (first !== undefined && last !== undefined && down < first && up > last) {
      return hasGap ? unknown(NO_DOUBLE) : NONE;
    }
  }
  return unknown("a multiple among many that are excluded");
}

/** Number of doubles beyond a bound that are tried. */
const MAX_DOUBLES = 16;

/** A multiple just beyond a large bound, where doubles are further apart than the multiples that are tried. */
function findLarge(step: number, demands: Demands): number | undefined {
  const { lower, upper } = demands;
  for (const [from, direction] of [
    [lower.bound, 1],
    [upper.bound, -1],
  ] as const) {
    if (!Number.isFinite(from) || Math.abs(from) / step <= Number.MAX_SAFE_INTEGER) continue;
    let value = from;
    for (let tried = 0; tried < MAX_DOUBLES; tried += 1) {
      if (isWanted(value, demands) && isMultiple(value, step)) return value;
      value = nextDouble(value, direction);
    }
  }
  return undefined;
}

/** Whether a multiple that no double holds is within the bounds. */
function isBetween(step: number, factor: bigint, { lower, upper }: Demands): boolean {
  const isAbove = lower.bound === Number.NEGATIVE_INFINITY || isLess(lower.bound, step, factor);
  const isBelow = upper.bound === Number.POSITIVE_INFINITY || !isLess(upper.bound, step, factor);
  return isAbove && isBelow;
}

function clamp(value: bigint, first: bigint | undefined, last: bigint | undefined): bigint {
  if (first !== undefined && value < first) return first;
  return last !== undefined && value > last ? last : value;
}

function isWanted(value: number, { lower, upper, excluded, notMultiplesOf }: Demands): boolean {
  if (!Number.isFinite(value)) return false;
  if (lower.exclusive ? value <= lower.bound : value < lower.bound) return false;
  if (upper.exclusive ? value >= upper.bound : value > upper.bound) return false;
  if (notMultiplesOf.some((of) => isMultiple(value, of))) return false;
  return !valueSetOf(excluded).has(value);
}
