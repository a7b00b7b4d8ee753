import { isUtf8 } from "node:buffer";
import { types } from "node:util";
import type { JsonValue } from "../json/value.js";

/** What stands in a snapshot for that which it cannot hold. */
export const SNAPSHOT_MARKS = {
  /** An object that contains itself. */
  circular: "[circular]",
  /** Nesting beyond MAX_DEPTH. */
  deep: "[too deep]",
  /** A getter, a `toJSON` or a proxy that threw. */
  unreadable: "[unreadable]",
  /** No room is left: see `createSnapshotRoom`. */
  cut: "[cut]",
} as const;

/** Deeper than people nest, and within the 1,000 levels that Python's parser takes. */
const MAX_DEPTH = 500;

/** From here on JSON writes an integer with an exponent, so that it is the same number to all readers. */
const EXPONENT_FROM = 1e21;

/**
 * What tells of an error. Not its other fields: those of HTTP clients hold the request, and with it the
 * credentials.
 */
const ERROR_FIELDS = ["name", "message", "code", "cause", "errors"] as const;

/**
 * A JSON copy of any value that later mutation does not reach. Never throws, and what it gives passes the
 * rules `well-formed-unicode` and `safe-integer` when it is written.
 *
 * As JSON.stringify has it: `toJSON` is called, numbers that are not finite are null, functions, symbols
 * and undefined are absent from objects and null elsewhere. Beyond that:
 * - integers beyond 2^53 - 1, big or not, are texts of their digits, and every bigint is a text;
 * - lone surrogates are U+FFFD;
 * - an error is its name, message, code, cause and errors; a Map is an object, or a list of entries when a
 *   key is no text; a Set is a list; a regular expression is its text;
 * - bytes (Buffer, Uint8Array, DataView, ArrayBuffer) are their text when they are UTF-8, else a `data:` URL in
 *   base64; other typed arrays are lists of numbers;
 * - what cannot be held is a text of SNAPSHOT_MARKS.
 *
 * Snapshots of one record share its `room`, so that the record can be written as a line.
 */
export function toSnapshot(value: unknown, room: SnapshotRoom = createSnapshotRoom()): JsonValue {
  return copyValue(value, { room, above: new Set() }) ?? null;
}

interface Copying {
  readonly room: SnapshotRoom;
  /** The objects around the value. */
  readonly above: Set<object>;
}

/** Undefined for what JSON leaves out of objects. */
function copyValue(value: unknown, copying: Copying): JsonValue | undefined {
  if (isFull(copying.room)) return SNAPSHOT_MARKS.cut;
  copying.room.values -= 1;
  switch (typeof value) {
    case "string":
      return copyText(value, copying.room);
    case "number":
      return copyNumber(value);
    case "boolean":
      return value;
    case "bigint":
      return copyText(String(value), copying.room);
    case "object":
      return value === null ? null : enterObject(value, copying);
    default:
      return undefined;
  }
}

function copyText(text: string, room: SnapshotRoom): string {
  const fits = text.length <= room.characters;
  const kept = fits ? text : text.slice(0, Math.max(0, room.characters));
  room.characters -= kept.length;
  return fits ? toWellFormed(kept) : `${toWellFormed(kept)}${SNAPSHOT_MARKS.cut}`;
}

function copyNumber(value: number): JsonValue {
  if (!Number.isFinite(value)) return null;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isRounded && Math.abs(value) < EXPONENT_FROM) return String(value);
  // JSON has no negative zero: the copy is what a reader of the line will see.
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
  // Most are, and need not be asked for everything that they are not.
  if (isPlain(value) && !hasToJson(value)) return copyFields(value, Object.keys(value), copying);
  const bytes = toBytes(value);
  if (bytes !== undefined) return copyText(toByteText(bytes), copying.room);
  // Before toJSON: those of HTTP clients give all that ERROR_FIELDS leave out.
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
  if (types.isRegExp(value)) return copyText(String(value), copying.room);
  return copyFields(value, Object.keys(value), copying);
}

function copyList(list: ArrayLike<unknown>, copying: Copying): JsonValue[] {
  const copies: JsonValue[] = [];
  for (let index = 0; index < list.length; index += 1) {
    copies.push(copyMember(list, index, copying) ?? null);
    // Lists may be sparse, or say that they are: nothing is gained by counting to the end.
    if (isFull(copying.room)) break;
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
  const { room } = copying;
  const fields: Record<string, JsonValue> = {};
  for (const key of keys) {
    if (isFull(room) || key.length > room.characters) {
      fields[SNAPSHOT_MARKS.cut] = SNAPSHOT_MARKS.cut;
      break;
    }
    room.characters -= key.length;
    const copy = copyMember(value, key, copying);
    if (copy === undefined) continue;
    const name = toFreeKey(toWellFormed(key), fields);
    // An assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(fields, name, { ...OWN_FIELD, value: copy });
    else fields[name] = copy;
  }
  return fields;
}

const OWN_FIELD = { enumerable: true, configurable: true, writable: true };

/** Keys that differ in their lone surrogates alone must not cost each other their values. */
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

/** How much the snapshots of one record may still hold; what is taken is subtracted. */
export interface SnapshotRoom {
  /** Values: numbers, texts, objects, members of lists. */
  values: number;
  /** UTF-16 code units of texts and keys. */
  characters: number;
}

/**
 * Room for one record, or for a `share` of it (0..1). V8 holds no string beyond 2^29 - 24 code units, and
 * JSON writes one of them as up to six: this many can still be written as one line. Values are bounded
 * because a few objects that refer to each other, or a getter that makes new ones, can stand for more of
 * them than any memory holds.
 */
export function createSnapshotRoom(share = 1): SnapshotRoom {
  return { values: Math.floor(1_000_000 * share), characters: Math.floor(2 ** 26 * share) };
}

/** Whether nothing more fits in. */
export function isFull({ values, characters }: SnapshotRoom): boolean {
  return values <= 0 || characters <= 0;
}

/** Half of a pair, or alone; found several times as fast as LONE. */
const SURROGATE = /[\ud800-\udfff]/;

/** A surrogate that is none of a pair, in a text that is read by code points. */
const LONE = /\p{Surrogate}/gu;

/**
 * A text with U+FFFD in place of each lone surrogate: what becomes of it anyway wherever it is written as
 * UTF-8, such as on its way to a model (rule `well-formed-unicode`).
 */
export function toWellFormed(text: string): string {
  return SURROGATE.test(text) ? text.replace(LONE, "\u{FFFD}") : text;
}

/** What a field is that throws when it is read. */
export const UNREADABLE: unique symbol = Symbol("unreadable");

/** A field of anything, without throwing: undefined when there is none. */
export function readField(given: unknown, key: string): unknown {
  if (typeof given !== "object" || given === null) return undefined;
  try {
    return Reflect.get(given, key);
  } catch {
    return UNREADABLE;
  }
}
