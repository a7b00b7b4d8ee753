import { toPointerToken } from "../../../../base/json/pointer.js";
import { findUnexportable, MAX_NESTING } from "../../../../base/json/unexportable.js";
import {
  isJsonObject,
  type JsonObject,
  measureValue,
  type ValueMeasure,
} from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import type { ImportFault } from "../reader.js";

/** Reads the fields of a row, and collects their faults. Null counts as absent. */
export class RowFields {
  readonly faults: ImportFault[] = [];

  /** Adds a fault about a field, worded like JSON Schema's `type`. */
  refuse(pointer: string, must: string, value: unknown): void {
    const cause = `must be ${must}`;
    const message = `${cause}, is ${previewValue(value)}`;
    this.faults.push({ id: "type", pointer, message, cause });
  }

  /** Reads a required string. If it is missing, adds a fault and returns "". */
  text(owner: JsonObject, key: string, pointer = ""): string {
    return this.#required(owner, key, pointer)
      ? (this.optionalText(owner, key, pointer) ?? "")
      : "";
  }

  optionalText(owner: JsonObject, key: string, pointer = ""): string | undefined {
    return this.#typed(owner, key, pointer, "a string", isText);
  }

  /** Reads a required non-negative integer. If it is missing, adds a fault and returns 0. */
  index(owner: JsonObject, key: string, pointer = ""): number {
    if (!this.#required(owner, key, pointer)) return 0;
    return this.#typed(owner, key, pointer, "a non-negative integer", isIndex) ?? 0;
  }

  /** Reads a required list. If it is missing, adds a fault and returns an empty one. */
  list(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#required(owner, key, pointer) ? this.optionalList(owner, key, pointer) : [];
  }

  optionalList(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#typed(owner, key, pointer, "an array", Array.isArray) ?? [];
  }

  optionalObject(owner: JsonObject, key: string, pointer = ""): JsonObject | undefined {
    return this.#typed(owner, key, pointer, "an object", isJsonObject);
  }

  /** Returns the objects of a list with their pointers. Adds a fault for any other element. */
  objects(list: readonly unknown[], pointer: string): [at: string, object: JsonObject][] {
    return list.flatMap((each, index): [string, JsonObject][] => {
      const at = `${pointer}/${index}`;
      if (isJsonObject(each)) return [[at, each]];
      this.refuse(at, "an object", each);
      return [];
    });
  }

  #required(owner: JsonObject, key: string, pointer: string): boolean {
    if (own(owner, key) !== undefined) return true;
    this.faults.push({ id: "required", pointer, message: `lacks ${previewValue(key)}` });
    return false;
  }

  #typed<T>(
    owner: JsonObject,
    key: string,
    pointer: string,
    must: string,
    isTyped: (value: unknown) => value is T,
  ): T | undefined {
    const value = own(owner, key);
    if (value === undefined || isTyped(value)) return value;
    this.refuse(`${pointer}/${toPointerToken(key)}`, must, value);
    return undefined;
  }
}

/** Own properties only: a log may contain a name such as `constructor`. */
function own(owner: JsonObject, key: string): unknown {
  return Object.hasOwn(owner, key) ? (owner[key] ?? undefined) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The fault of a row that is nested too deeply to be exported. It must be read no further: readers recurse. */
export function findDeepFault(
  row: JsonObject,
  { depth }: Pick<ValueMeasure, "depth"> = measureValue(row),
): ImportFault | undefined {
  return depth > MAX_NESTING ? findUnexportable(row) : undefined;
}
