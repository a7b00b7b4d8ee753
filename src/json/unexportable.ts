import { toPointerToken } from "./pointer.js";
import { findUnwritable } from "./print.js";
import { isJsonObject } from "./value.js";

/**
 * Deepest nesting that is exported, in arrays and objects. A message's arguments stand 6 levels below
 * the record, and of the 1000 calls that Python 3.10 to 3.13 allow, json takes one per level, copy
 * and pickle two: 2 x 406 leave the reader of the outputs some of its own.
 */
export const MAX_NESTING = 400;

/** Levels that the pointer of a `nesting-depth` names: `/tool_call_sequence/0/data/args`. */
const NAMED_LEVELS = 4;

/** Why a value parsed from JSON cannot be exported. */
export interface Unexportable {
  readonly id: "nesting-depth" | "number-range";
  /** JSON Pointer (RFC 6901) into the value: the number, or what is nested too deeply below it. */
  readonly pointer: string;
  /** A sentence without its place. */
  readonly message: string;
}

const TOO_DEEP: Unexportable = {
  id: "nesting-depth",
  pointer: "",
  message: `nested more than ${MAX_NESTING} levels deep: cannot be exported`,
};

/**
 * The first place in a value that came out of JSON which no output can carry to its reader: nesting
 * beyond MAX_NESTING, or a number beyond the range of a double, which JSON.parse makes Infinity.
 * Undefined when there is none. Does not recurse beyond MAX_NESTING.
 */
export function findUnexportable(value: unknown): Unexportable | undefined {
  return findFrom(value, 1);
}

function findFrom(value: unknown, level: number): Unexportable | undefined {
  // A hot path: every value of every record passes here, so nothing is allocated.
  if (Array.isArray(value)) {
    if (level > MAX_NESTING) return TOO_DEEP;
    for (let index = 0; index < value.length; index += 1) {
      const found = findFrom(value[index], level + 1);
      if (found !== undefined) return below(index, found, level);
    }
    return undefined;
  }
  if (!isJsonObject(value)) return checkScalar(value);
  if (level > MAX_NESTING) return TOO_DEEP;
  for (const key in value) {
    const found = findFrom(value[key], level + 1);
    if (found !== undefined) return below(key, found, level);
  }
  return undefined;
}

function below(key: string | number, found: Unexportable, level: number): Unexportable {
  // A pointer of hundreds of tokens would not help.
  if (found.id === "nesting-depth" && level > NAMED_LEVELS) return found;
  return { ...found, pointer: `/${toPointerToken(key)}${found.pointer}` };
}

function checkScalar(value: unknown): Unexportable | undefined {
  if (typeof value === "string") return undefined;
  const unwritable = findUnwritable(value);
  if (unwritable === undefined) return undefined;
  const message = `beyond the range of numbers, read as ${unwritable.what}: cannot be exported`;
  return { id: "number-range", pointer: "", message };
}
