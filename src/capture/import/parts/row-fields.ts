import { toPointerToken } from "../../../json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../json/value.js";
import { previewValue } from "../../../text.js";
import type { ImportFault } from "../import-source.js";

/** Reads the fields of a row, and remembers what is wrong with them. Null counts as absent. */
export class RowFields {
  readonly faults: ImportFault[] = [];

  /** Adds a fault about a field as JSON Schema's `type` would. */
  refuse(pointer: string, must: string, value: unknown): void {
    const message = `must be ${must}, is ${previewValue(value)}`;
    this.faults.push({ id: "type", pointer, message });
  }

  /** A text that has to be there. */
  text(owner: JsonObject, key: string, pointer = ""): string {
    return this.#required(owner, key, pointer)
      ? (this.optionalText(owner, key, pointer) ?? "")
      : "";
  }

  optionalText(owner: JsonObject, key: string, pointer = ""): string | undefined {
    return this.#typed(owner, key, pointer, "a string", isText);
  }

  /** A whole number from 0 that has to be there. */
  index(owner: JsonObject, key: string, pointer = ""): number {
    if (!this.#required(owner, key, pointer)) return 0;
    return this.#typed(owner, key, pointer, "a whole number from 0", isIndex) ?? 0;
  }

  /** A list that has to be there. */
  list(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#required(owner, key, pointer) ? this.optionalList(owner, key, pointer) : [];
  }

  optionalList(owner: JsonObject, key: string, pointer = ""): readonly unknown[] {
    return this.#typed(owner, key, pointer, "an array", Array.isArray) ?? [];
  }

  optionalObject(owner: JsonObject, key: string, pointer = ""): JsonObject | undefined {
    return this.#typed(owner, key, pointer, "an object", isJsonObject);
  }

  optionalNumber(owner: JsonObject, key: string, pointer = ""): number | undefined {
    return this.#typed(owner, key, pointer, "a number", isNumber);
  }

  /** The objects of a list, each with its pointer; anything else in it is a fault. */
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

/** What an object itself holds: a name such as `constructor` is no field. */
function own(owner: JsonObject, key: string): unknown {
  return Object.hasOwn(owner, key) ? (owner[key] ?? undefined) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
