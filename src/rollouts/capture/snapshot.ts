import { isUtf8 } from "node:buffer";
import { types } from "node:util";
import type { JsonValue } from "../../base/json/value.js";

/** What a snapshot has in place of a value that it cannot hold. */
export const SNAPSHOT_MARKS = {
  /** An object that contains itself. */
  circular: "[circular]",
  /** Nesting beyond MAX_DEPTH. */
  deep: "[too deep]",
  /** A getter, a `toJSON` or a proxy that threw. */
  unreadable: "[unreadable]",
  /** The budget is used up: see `createSnapshotRoom`. */
  cut: "[cut]",
} as const;

/** Deeper than real data, and within the 1,000 levels of Python's parser. */
const MAX_DEPTH = 500;

/** From here on JSON writes integers with an exponent, which all readers take for the same number. */
const EXPONENT_FROM = 1e21;

/**
 * The fields of an error that are kept. Not the others: errors of HTTP clients hold the request, and with it
 * the credentials.
 */
const ERROR_FIELDS = ["name", "message", "code", "cause", "errors"] as const;

/**
 * A deep JSON copy of any value. Never throws, and the copy passes the rules `well-formed-unicode` and
 * `safe-integer`.
 *
 * As in JSON.stringify, `toJSON` is called, numbers that are not finite become null, and functions, symbols
 * and undefined are left out of objects and are null elsewhere. Beyond that:
 * - integers beyond 2^53 - 1 become strings of their digits, and so does every bigint;
 * - lone surrogates become U+FFFD;
 * - an error becomes its name, message, code, cause and errors; a Map an object, or a list of entries if a
 *   key is not a string; a Set a list; a regular expression its source text;
 * - bytes (Buffer, Uint8Array, DataView, ArrayBuffer) become their text if they are UTF-8, else a `data:` URL
 *   in base64; other typed arrays become lists of numbers;
 * - whatever cannot be copied becomes one of SNAPSHOT_MARKS.
 *
 * Snapshots of one record share a `budget`, so that the record fits into one line.
 */
export function toSnapshot(value: unknown, budget: SnapshotRoom = createSnapshotRoom()): JsonValue {
  return copyValue(value, { budget, above: new Set() }) ?? null;
}

interface Copying {
  readonly budget: SnapshotRoom;
  /** The objects around the value. */
  readonly above: Set<object>;
}

/** Undefined for a value that JSON leaves out of objects. */
function copyValue(value: unknown, copying: Copying): JsonValue | undefined {
  if (isFull(copying.budget)) return SNAPSHOT_MARKS.cut;
  copying.budget.values -= 1;
  switch (typeof value) {
    case "string":
      return copyText(value, copying.budget);
    case "number":
      return copyNumber(value);
    case "boolean":
      return value;
    case "bigint":
      return copyText(String(value), copying.budget);
    case "object":
      return value === null ? null : enterObject(value, copying);
    default:
      return undefined;
  }
}

function copyText(text: string, budget: SnapshotRoom): string {
  const fits = text.length <= budget.characters;
  const kept = fits ? text : text.slice(0, Math.max(0, budget.characters));
  budget.characters -= kept.length;
  // U+FFFD for a lone surrogate is what UTF-8 makes of it anyway (rule `well-formed-unicode`).
  return fits ? kept.toWellFormed() : `${kept.toWellFormed()}${SNAPSHOT_MARKS.cut}`;
}

function copyNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return null;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isRounded && Math.abs(value) < EXPONENT_FROM) return String(value);
  // JSON has no negative zero: the copy is the value that a reader of the line gets.
  return value === 0 ? 0 : value;
}

function enterObject(value: object, copying: Copying): JsonValue | undefined {
  const { above } = copying;
  if (above.has(value)) return SNAPSHOT_MARKS.circular;
  if (above.size >= MAX_DEPTH) return SNAPSHOT_MARKS.deep;
  above.add(value);
  try {
    return copyObject(value, copying);
  } catch {
    return SNAPSHOT_MARKS.unreadable;
  } finally {
    above.delete(value);
  }
}

function copyObject(value: object, copying: Copying): JsonValue | undefined {
  // Most objects are plain: skip the checks below.
  if (isPlain(value) && !hasToJson(value)) return copyFields(value, Object.keys(value), copying);
  const bytes = toBytes(value);
  if (bytes !== undefined) return copyText(toByteText(bytes), copying.budget);
  // Before toJSON: that of an HTTP client's error returns everything that ERROR_FIELDS leaves out.
  if (value instanceof Error || types.isNativeError(value)) return copyError(value, copying);
  if (hasToJson(value)) {
    const plainer: unknown = value.toJSON("");
    const isObject = typeof plainer === "object" && plainer !== null;
    return isObject ? copyMembers(plainer, copying) : copyValue(plainer, copying);
  }
  return copyMembers(value, copying);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function hasToJson(value: object): value is { toJSON: (key: string) => unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

function copyMembers(value: object, copying: Copying): JsonValue | undefined {
  if (Array.isArray(value)) return copyList(value, copying);
  if (types.isMap(value)) return copyMap(value, copying);
  if (types.isSet(value) || ArrayBuffer.isView(value)) {
    return copyList(Array.from(Object(value)), copying);
  }
  if (types.isBoxedPrimitive(value)) return copyValue(value.valueOf(), copying);
  if (types.isRegExp(value)) return copyText(String(value), copying.budget);
  return copyFields(value, Object.keys(value), copying);
}

function copyList(list: ArrayLike<unknown>, copying: Copying): JsonValue[] {
  const copies: JsonValue[] = [];
  for (let index = 0; index < list.length; index += 1) {
    copies.push(copyMember(list, index, copying) ?? null);
    // A list may be sparse, or claim any length: do not count to its end.
    if (isFull(copying.budget)) break;
  }
  return copies;
}

function copyMap(map: ReadonlyMap<unknown, unknown>, copying: Copying): JsonValue | undefined {
  const entries = [...map];
  return entries.every(([key]) => typeof key === "string")
    ? copyFields(Object.fromEntries(entries), [...map.keys()].map(String), copying)
    : copyList(entries, copying);
}

function copyError(error: object, copying: Copying): JsonValue {
  const named = ERROR_FIELDS.filter((key) => hasField(error, key));
  return copyFields(error, named, copying);
}

function hasField(object: object, key: string): boolean {
  try {
    return Reflect.get(object, key) !== undefined;
  } catch {
    return true;
  }
}

function copyFields(value: object, keys: readonly string[], copying: Copying): JsonValue {
  const { budget } = copying;
  const fields: Record<string, JsonValue> = {};
  for (const key of keys) {
    if (isFull(budget) || key.length > budget.characters) {
      fields[SNAPSHOT_MARKS.cut] = SNAPSHOT_MARKS.cut;
      break;
    }
    budget.characters -= key.length;
    const copy = copyMember(value, key, copying);
    if (copy === undefined) continue;
    const name = toFreeKey(key.toWellFormed(), fields);
    // Assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(fields, name, { ...OWN_FIELD, value: copy });
    else fields[name] = copy;
  }
  return fields;
}

const OWN_FIELD = { enumerable: true, configurable: true, writable: true };

/** Keys that differ only in lone surrogates must not overwrite each other. */
function toFreeKey(key: string, taken: object): string {
  return Object.hasOwn(taken, key) ? toFreeKey(`${key}\u{FFFD}`, taken) : key;
}

function copyMember(parent: object, key: string | number, copying: Copying): JsonValue | undefined {
  let member: unknown;
  try {
    member = Reflect.get(parent, key);
  } catch {
    return SNAPSHOT_MARKS.unreadable;
  }
  return copyValue(member, copying);
}

function toBytes(value: object): Buffer | undefined {
  if (types.isUint8Array(value) || types.isDataView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined;
}

function toByteText(bytes: Buffer): string {
  return isUtf8(bytes)
    ? bytes.toString("utf8")
    : `data:application/octet-stream;base64,${bytes.toString("base64")}`;
}

/** The budget that the snapshots of one record share: what each takes is subtracted. */
export interface SnapshotRoom {
  /** Values: numbers, strings, objects, members of lists. */
  values: number;
  /** UTF-16 code units of strings and keys. */
  characters: number;
}

/**
 * The budget of one record, or a `share` of it (0..1). V8 has no string longer than 2^29 - 24 code units, and
 * JSON writes a code unit as up to six: this many still fit into one line. Values are limited because a few
 * objects that refer to each other, or a getter that creates new ones, can expand without end.
 */
export function createSnapshotRoom(share = 1): SnapshotRoom {
  return { values: Math.floor(1_000_000 * share), characters: Math.floor(2 ** 26 * share) };
}

/** Whether the budget is used up. */
export function isFull({ values, characters }: SnapshotRoom): boolean {
  return values <= 0 || characters <= 0;
}

/** The value of a field that throws when it is read. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

/** Reads a field of any value without throwing; undefined if there is none. */
export function readField(given: unknown, key: string): unknown {
  if (typeof given !== "object" || given === null) return undefined;
  try {
    return Reflect.get(given, key);
  } catch {
    return UNREADABLE;
  }
}
