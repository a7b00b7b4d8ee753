// @ts-check
/** Values of JSON as JSON Schema sees them. */

/**
 * The value of an own property; undefined if there is none. For names that every object inherits.
 * @param {any} object
 * @param {string} name
 * @returns {unknown}
 */
export function ownValue(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/**
 * Whether a text has at least so many code points.
 * @param {string} text
 * @param {number} count
 * @returns {boolean}
 */
export function hasLength(text, count) {
  let left = count;
  for (let at = 0; left > 0; at += 1) {
    if (at >= text.length) return false;
    // The second half of a pair is no code point of its own.
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
    left -= 1;
  }
  return true;
}

/**
 * Whether a number is a whole multiple of another, by their decimal digits: 19.99 is one of 0.01.
 * @param {number} value
 * @param {number} step
 * @returns {boolean}
 */
export function isMultiple(value, step) {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [digits, places] = toDecimal(value);
  const [stepDigits, stepPlaces] = toDecimal(step);
  const most = Math.max(places, stepPlaces, 0);
  return (
    (digits * 10n ** BigInt(most - places)) % (stepDigits * 10n ** BigInt(most - stepPlaces)) === 0n
  );
}

/**
 * The digits of a number, and how many of them stand behind the point.
 * @param {number} value
 * @returns {readonly [bigint, number]}
 */
function toDecimal(value) {
  const [mantissa = "", exponent] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}

/**
 * Equality as in JSON Schema: numbers by value, objects regardless of the order of their keys. Keeps a list, so that deep
 * values do not exhaust the stack.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function areEqual(one, other) {
  if (one === other) return true;
  /** @type {unknown[]} */
  const pairs = [one, other];
  while (pairs.length > 0) {
    /** @type {any} */
    const right = pairs.pop();
    /** @type {any} */
    const left = pairs.pop();
    if (left === right) continue;
    if (typeof left !== "object" || typeof right !== "object" || !left || !right) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pairs.push(left[key], right[key]);
    }
  }
  return true;
}

/**
 * The indices of two equal items, the first that equals one before it; undefined if there are none.
 * @param {readonly unknown[]} items
 * @returns {readonly [number, number] | undefined}
 */
export function findEqual(items) {
  /** @type {Map<unknown, number[]>} */
  const seen = new Map();
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const isDeep = typeof item === "object" && item !== null;
    // Texts that describe objects and arrays begin otherwise than those that stand for a text.
    const key = isDeep ? outline(item, 0) : typeof item === "string" ? `"${item}` : item;
    const same = seen.get(key);
    const first = same?.find((each) => areEqual(items[each], item));
    if (first !== undefined) return [first, at];
    if (same === undefined) seen.set(key, [at]);
    else same.push(at);
  }
  return undefined;
}

/** How deep an outline looks. */
const MAX_DEPTH = 100;

/**
 * A text that is the same for equal values, and mostly only for them.
 * @param {any} value
 * @param {number} depth
 * @returns {string}
 */
function outline(value, depth) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  if (depth > MAX_DEPTH) return "";
  if (Array.isArray(value)) return `[${value.map((item) => outline(item, depth + 1))}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${outline(value[key], depth + 1)}`)}}`;
}
