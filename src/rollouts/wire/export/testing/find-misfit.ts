import { type Feature, isJson, isList, isValue } from "../../../../base/json/feature.js";
import { isJsonObject } from "../../../../base/json/value.js";

/**
 * JSON Pointer of the first value that does not match its feature: one of another type, or a struct with other
 * fields. Undefined if everything matches. Null matches only Json, because records contain it nowhere else.
 */
export function findMisfit(value: unknown, feature: Feature, pointer = ""): string | undefined {
  if (isJson(feature)) return undefined;
  if (isValue(feature)) return isOfType(value, feature.dtype) ? undefined : pointer;
  if (isList(feature)) {
    if (!Array.isArray(value)) return pointer;
    const items: readonly unknown[] = value;
    return firstOf(
      items.map((item, index) => findMisfit(item, feature.feature, `${pointer}/${index}`)),
    );
  }
  if (!isJsonObject(value)) return pointer;
  const fields = Object.entries(feature);
  const names = Object.keys(value);
  if (names.length !== fields.length || !names.every((name) => Object.hasOwn(feature, name))) {
    return pointer;
  }
  return firstOf(
    fields.map(([name, field]) => findMisfit(value[name], field, `${pointer}/${name}`)),
  );
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((pointer) => pointer !== undefined);
}

function isOfType(value: unknown, dtype: string): boolean {
  if (dtype === "int64") return Number.isSafeInteger(value);
  const types: Readonly<Record<string, string>> = {
    string: "string",
    float64: "number",
    bool: "boolean",
  };
  return typeof value === types[dtype];
}
