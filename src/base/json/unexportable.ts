import { toPointerToken } from "./pointer.js";
import { findUnwritable } from "./print.js";
import { isJsonObject, type ValueMeasure } from "./value.js";

/**
 * Deepest nesting that is exported, in arrays and objects. The arguments of a message sit 6 levels below the
 * record. Python 3.10 to 3.13 allow 1000 nested calls; json uses one per level, copy and pickle two, so 2 x 406
 * leaves room for the reader's own calls.
 */
export const MAX_NESTING = 400;

/** Number of levels that the pointer of a `nesting-depth` finding names, as in `/tool_call_sequence/0/data/args`. */
const NAMED_LEVELS = 4;

/** Why a value parsed from JSON cannot be exported. */
export interface Unexportable {
  readonly id: "nesting-depth" | "number-range";
  /** JSON Pointer (RFC 6901) of the number, or of the outer levels of the value that is nested too deeply. */
  readonly pointer: string;
  /** The message, without the location. */
  readonly message: string;
}

const TOO_DEEP: Unexportable = {
  id: "nesting-depth",
  pointer: "",
  message: `nested more than ${MAX_NESTING} levels deep: cannot be exported`,
};

const UNMEASURED = { depth: Infinity, largest: Infinity };

/**
 * Finds the first value in a parsed JSON value that cannot be exported: nesting beyond MAX_NESTING, or a number
 * beyond the range of a double, which JSON.parse turns into Infinity. Undefined if there is none. Does not
 * recurse beyond MAX_NESTING. Faster if the value was measured.
 */
export function findUnexportable(
  value: unknown,
  { depth, largest }: Pick<ValueMeasure, "depth" | "largest"> = UNMEASURED,
): Unexportable | undefined {
  return depth <= MAX_NESTING && Number.isFinite(largest) ? undefined : findFrom(value, 1);
}

function findFrom(value: unknown, level: number): Unexportable | undefined {
  // Hot path: every value of every record passes through here, so it allocates nothing.
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
  // A pointer with hundreds of tokens would not help.
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
