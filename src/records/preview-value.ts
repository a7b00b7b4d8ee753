import { escapeControls } from "./escape-controls.js";

/** Longest text, in UTF-16 code units, that a message shows of a value: a line of a terminal. */
const MAX_SHOWN = 60;

/**
 * A JSON value as a message shows it: short, on one line, safe on a terminal. Arrays and objects
 * are named, not printed, so that a huge or deeply nested one costs nothing.
 */
export function previewValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "string") return previewText(value);
  return String(value);
}

function previewText(text: string): string {
  const shown = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
  // JSON.stringify escapes quotes and backslashes, and lone surrogates that the cut may leave.
  return escapeControls(JSON.stringify(shown));
}
