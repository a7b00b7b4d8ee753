import canonicalize from "canonicalize";
import { memoize } from "../../../../base/memoize.js";
import type { Type } from "./formula.js";

/** An exact decimal number: `digits` times ten to the power of `-places`. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** Whether a number is a whole multiple of another, by their decimal digits: 0.3 is one of 0.1. */
export function isMultiple(value: number, of: number): boolean {
  const [one, other] = align(toDecimal(value), toDecimal(of));
  return other !== 0n && one % other === 0n;
}

/** The smallest positive number that is a multiple of both. */
export function leastCommonMultiple(one: number, other: number): number {
  const [left, right, places] = align(toDecimal(one), toDecimal(other));
  return toNumber({ digits: (left / greatestCommonDivisor(left, right)) * right, places });
}

/** `factor` times `step`, exactly; undefined if no double has that value. */
export function multiply(step: number, factor: bigint): number | undefined {
  const { digits, places } = toDecimal(step);
  const product = { digits: digits * factor, places };
  const number = toNumber(product);
  if (!Number.isFinite(number)) return undefined;
  const [one, other] = align(toDecimal(number), product);
  return one === other ? number : undefined;
}

/** Whether a number is less than `factor` times `step`. */
export function isLess(value: number, step: number, factor: bigint): boolean {
  const { digits, places } = toDecimal(step);
  const [one, other] = align(toDecimal(value), { digits: digits * factor, places });
  return one < other;
}

/** `value` divided by `step`, rounded down. */
export function divideDown(value: number, step: number): bigint {
  const [one, other] = align(toDecimal(value), toDecimal(step));
  const quotient = one / other;
  return one % other !== 0n && one < 0n !== other < 0n ? quotient - 1n : quotient;
}

function toDecimal(value: number): Decimal {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 };
}

function toNumber({ digits, places }: Decimal): number {
  return Number(`${digits}e-${places}`);
}

/** The digits of both, scaled to the same number of places. */
function align(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const places = Math.max(one.places, other.places);
  const digitsOf = (decimal: Decimal): bigint =>
    decimal.digits * 10n ** BigInt(places - decimal.places);
  return [digitsOf(one), digitsOf(other), places];
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [left, right] = [one, other];
  while (right !== 0n) [left, right] = [right, left % right];
  return left < 0n ? -left : left;
}

/** The JSON type of a value. */
export function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}

/** Equality as in JSON Schema: numbers by value, objects regardless of key order. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other) || one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  return canonicalize(one) === canonicalize(other);
}

/** JSON values by equality as in JSON Schema. */
export class ValueSet {
  readonly #keys: ReadonlySet<unknown>;

  constructor(values: readonly unknown[]) {
    this.#keys = new Set(values.map(keyOfValue));
  }

  has(value: unknown): boolean {
    return this.#keys.has(keyOfValue(value));
  }
}

/** The values of a list as a set. Cached, because lists are long and queried often. */
export const valueSetOf = memoize((values: readonly unknown[]) => new ValueSet(values));

/** Equal for equal values: themselves, except for objects and arrays, whose key equals no string among values. */
export function keyOfValue(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "object" && value !== null ? canonicalize(value) : value;
}
