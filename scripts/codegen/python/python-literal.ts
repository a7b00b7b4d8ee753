import { EXIT, UserError } from "../../../src/user-error.js";

/** A JSON string as a Python string literal. */
export function pythonString(text: string): string {
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  // Python reads a surrogate pair written as two escapes as two characters, so astral ones go as \U.
  return escaped.replace(/\\u(d[89ab]..)\\u(d[c-f]..)/g, (_, high, low) => {
    const point = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    return `\\U${(point.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
  });
}

/** A JSON scalar as a Python literal. Throws UserError for objects and arrays. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") return JSON.stringify(value);
  if (typeof value === "string") return pythonString(value);
  throw new UserError(
    `the Python package cannot hold ${JSON.stringify(value)} in an enum or const: use scalars`,
    EXIT.findings,
  );
}

/** A docstring, indented by the caller. */
export function docstring(text: string): string {
  // A quote may stand alone inside triple quotes, but not before another one or at the end.
  return `"""${text.replaceAll("\\", "\\\\").replace(/"(?="|$)/g, '\\"')}"""`;
}
