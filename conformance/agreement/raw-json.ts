/**
 * Stands for JSON text that JSON.stringify would not print: a record in memory holds this string, and
 * `toJsonText` puts the raw text in its place.
 */
const RAW = "\u0000raw:";

/** A value whose JSON is exactly `text`. */
export function rawJson(text: string): string {
  return `${RAW}${text}`;
}

/** A record in memory as JSON text on one line. */
export function toJsonText(record: unknown): string {
  return JSON.stringify(record).replace(/"\\u0000raw:((?:[^"\\]|\\.)*)"/g, (_, text: string) =>
    JSON.parse(`"${text}"`),
  );
}
