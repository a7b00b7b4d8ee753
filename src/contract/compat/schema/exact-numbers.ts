import canonicalize from "canonicalize";
import { pointerTokens, resolvePointer, toPointerToken } from "../../../base/json/pointer.js";
import { scanJson } from "../../../base/json/tokens.js";

/**
 * The numbers of parsed texts that no double holds, as decimals, by the object or array that contains them and by key.
 * The map is empty where they are further inside.
 */
const records = new WeakMap<object, Map<string, string>>();

/** Numbers of up to 15 digits without such an exponent are always the shortest decimal of a double. */
const SUSPECT = /[\d.]{16,}|\d[eE][-+]?\d{3}/;

/** Remembers which numbers of a JSON text differ, by their decimal digits, from the doubles in its parsed value. */
export function recordExactNumbers(text: string, root: unknown): void {
  if (!SUSPECT.test(text)) return;
  for (const { kind, start, end, pointer } of scanJson(text)) {
    if (kind !== "number") continue;
    const decimal = toDecimalText(text.slice(start, end));
    if (decimal === toDecimalText(String(Number(text.slice(start, end))))) continue;
    const tokens = pointerTokens(pointer());
    for (let depth = 0; depth < tokens.length; depth += 1) {
      const at = tokens.slice(0, depth).map((token) => `/${toPointerToken(token)}`);
      const container = resolvePointer(root, at.join(""));
      if (typeof container !== "object" || container === null) continue;
      const known = records.get(container) ?? new Map<string, string>();
      records.set(container, known);
      if (depth === tokens.length - 1) known.set(tokens[depth] ?? "", decimal);
    }
  }
}

/** The decimal of a member that no double holds; undefined for all others. */
export function exactNumber(container: object, key: string | number): string | undefined {
  return records.get(container)?.get(String(key));
}

/** Whether a member is, or contains, a number that no double holds. */
export function isInexact(container: object, key: string | number): boolean {
  return exactNumber(container, key) !== undefined || holdsInexact(Reflect.get(container, key));
}

/** Whether a value contains a number that no double holds. */
export function holdsInexact(value: unknown): boolean {
  return typeof value === "object" && value !== null && records.has(value);
}

/** Makes a shallow copy remember the numbers of its original. */
export function carryExactNumbers<Copy extends object>(original: object, copy: Copy): Copy {
  const known = records.get(original);
  if (known !== undefined) records.set(copy, known);
  return copy;
}

/** The canonical text of a value, with the exact digits of its numbers. */
export function exactText(value: unknown): string {
  if (typeof value !== "object" || value === null || !records.has(value)) {
    return canonicalize(value) ?? "";
  }
  if (Array.isArray(value)) return `[${value.map((_, index) => exactMemberText(value, index))}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${exactMemberText(value, name)}`)}}`;
}

/** The same for a member of an object or array. */
export function exactMemberText(container: object, key: string | number): string {
  return exactNumber(container, key) ?? exactText(Reflect.get(container, key));
}

/** Whether two values that are equal as doubles are equal by the digits of their numbers, too. */
export function haveSameNumbers(one: unknown, other: unknown): boolean {
  const isPlain = !holdsInexact(one) && !holdsInexact(other);
  return isPlain || exactText(one) === exactText(other);
}

/** The same text for equal numbers, given as JSON: `1.50` and `15e-1` are `1.5`. */
export function toDecimalText(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const shortened = digits.replace(/0+$/, "");
  if (shortened === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - shortened.length;
  if (power >= 0 && power <= MAX_ZEROS) return sign + shortened + "0".repeat(power);
  const point = shortened.length + power;
  if (power < 0 && point > 0)
    return `${sign}${shortened.slice(0, point)}.${shortened.slice(point)}`;
  return `${sign}${shortened}e${power}`;
}

/** Longer runs of zeros are printed as an exponent. */
const MAX_ZEROS = 20;

/** The doubles on either side of a decimal that no double holds. */
export function neighboursOf(decimal: string): { readonly below: number; readonly above: number } {
  const nearest = Number(decimal) + 0;
  const isAbove = compareDecimals(toDecimalText(String(nearest)), decimal) > 0;
  return isAbove
    ? { below: nextDouble(nearest, -1), above: nearest }
    : { below: nearest, above: nextDouble(nearest, 1) };
}

/** Negative if the first decimal text is the smaller number, positive if it is the larger one. */
export function compareDecimals(one: string, other: string): number {
  const signs = [one, other].map((text) => (text === "0" ? 0 : text.startsWith("-") ? -1 : 1));
  const [sign = 0, otherSign = 0] = signs;
  if (sign !== otherSign || sign === 0) return sign - otherSign;
  const [left, right] = [toScientific(one), toScientific(other)];
  const order = left.power - right.power || (left.digits < right.digits ? -1 : 1);
  return left.digits === right.digits && left.power === right.power ? 0 : sign * order;
}

/** The digits after `0.`, and the power of ten of the number; sign ignored. */
function toScientific(decimal: string): { readonly digits: string; readonly power: number } {
  const [mantissa = "", exponent = "0"] = decimal.replace(/^-/, "").split("e", 2);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  const power = Number(exponent) + whole.length - (all.length - digits.length);
  return { digits: digits.replace(/0+$/, ""), power };
}

/** The next double above (`direction` 1) or below (-1). */
export function nextDouble(value: number, direction: 1 | -1): number {
  if (value === 0) return direction * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const step = value > 0 === direction > 0 ? 1n : -1n;
  view.setBigInt64(0, view.getBigInt64(0) + step);
  // Not -0.
  return view.getFloat64(0) + 0;
}
