import { type FormatName, fullFormats } from "ajv-formats/dist/formats.js";

/** Whether a format constrains strings; formats of numbers do not count. */
export function isFormat(name: string): name is FormatName {
  return FORMAT_EXAMPLES.has(name);
}

/** Whether a value has a format, according to ajv-formats. Values of other types, and unknown formats, always do. */
export function matchesFormat(name: string, value: unknown): boolean {
  const definition: unknown = Object.hasOwn(fullFormats, name)
    ? Reflect.get(fullFormats, name)
    : true;
  const { type = "string", validate = definition } =
    definition instanceof RegExp ? {} : Object(definition);
  if (typeof value !== type) return true;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate === "function" ? Boolean(validate(value)) : true;
}

/** Strings of each format, chosen so that other formats accept some and reject others. */
export const FORMAT_EXAMPLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["date", ["2024-02-29"]],
  ["time", ["12:30:00Z", "12:30:00+01:00"]],
  ["date-time", ["2024-02-29T12:30:00Z"]],
  ["iso-time", ["12:30:00", "12:30:00Z"]],
  ["iso-date-time", ["2024-02-29T12:30:00", "2024-02-29 12:30:00Z"]],
  ["duration", ["P1D", "PT1H"]],
  ["uri", ["urn:a:b", "https://a.example/b?c=d#e"]],
  ["uri-reference", ["a/b", "#a", "/a"]],
  ["uri-template", ["{a}", "https://a.example/{b}"]],
  ["url", ["https://a.example/", "http://a.example"]],
  ["email", ["a@b.example"]],
  ["hostname", ["a.example", "a"]],
  ["ipv4", ["127.0.0.1"]],
  ["ipv6", ["::1"]],
  ["regex", ["a+", "^a$"]],
  [
    "uuid",
    ["123e4567-e89b-12d3-a456-426614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000"],
  ],
  ["json-pointer", ["/a/b", ""]],
  ["json-pointer-uri-fragment", ["#/a", "#"]],
  ["relative-json-pointer", ["0/a", "1#"]],
  ["byte", ["YQ==", "abcd"]],
  ["password", ["\n"]],
  ["binary", ["["]],
]);
