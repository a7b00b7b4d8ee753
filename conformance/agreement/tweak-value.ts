import { isJsonObject } from "../../src/json/value.js";

/** Values that are only a little different: next to a bound, another case, one character or item more or less. */
export function tweakValue(value: unknown): unknown[] {
  if (typeof value === "number") {
    return [-1, 1, 0.5, -0.5, 1e-9, 1e16].map((step) => value + step);
  }
  if (typeof value === "string") return tweakText(value);
  if (typeof value === "boolean") return [!value];
  if (Array.isArray(value))
    return [value.slice(1), value.slice(0, 1), [...value, ...value], { ...value }];
  if (isJsonObject(value)) return [[value], Object.values(value)];
  return [0];
}

function tweakText(text: string): string[] {
  return [
    ...[`${text}\n`, ` ${text}`, `${text}0`, text.slice(1), text.slice(0, -1)],
    ...[text.toUpperCase(), text.replace(/[0-9]/, "٣"), text.slice(0, 1)],
  ];
}
