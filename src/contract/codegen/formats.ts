import { fullFormats } from "ajv-formats/dist/formats.js";

/** Formats that need more than a pattern. */
const FUNCTIONS = ["date", "time", "date-time"] as const;

/** How the code of every language checks a format. */
export type FormatCheck = (typeof FUNCTIONS)[number] | RegExp;

/**
 * How a format is checked, with the verdicts of ajv-formats: by a pattern with no flag but `i`, or by a function of the
 * runtimes. Undefined for a format that not every language can check alike.
 */
export function formatCheckOf(format: string): FormatCheck | undefined {
  const known = FUNCTIONS.find((name) => name === format);
  if (known !== undefined) return known;
  if (format === "uri") return URI;
  const formats: Readonly<Record<string, unknown>> = fullFormats;
  const definition = Object.hasOwn(formats, format) ? formats[format] : undefined;
  const isPlain = definition instanceof RegExp && /^i?$/.test(definition.flags);
  return isPlain ? definition : undefined;
}

/** ajv-formats has it as a function: a reference that has a scheme and something behind it, and no quotes. */
const URI = toUri(fullFormats["uri-reference"]);

function toUri(reference: unknown): RegExp {
  const { source, flags } = reference instanceof RegExp ? reference : /$^/;
  const text = source
    .replace(/^\^\(\?:\[a-z\]\[a-z0-9\+\\-\.\]\*:\)\?/, "^(?:[a-z][a-z0-9+\\-.]*:)")
    .replace(")*)*)?(?:\\?(?:", ")*)*)(?:\\?(?:")
    .replaceAll('"', "");
  return new RegExp(text, flags);
}
