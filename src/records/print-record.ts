import type { LineParser } from "./line-parser.js";

/** A part of a record in JSON: as text, or as the bytes in which it came. */
export type JsonPiece = string | Uint8Array;

/** What JSON.stringify writes otherwise than it is, within quotes. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/**
 * A record as JSON, in pieces: each field whose bytes the parser knows is a piece of its own and copied,
 * which costs nothing, and keeps what printing would change (1.0, integers beyond 2^53, spaces).
 */
export function printRecord(record: object, parser: Pick<LineParser, "bytesOf">): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let piece = "{";
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const separator = piece === "{" && pieces.length === 0 ? "" : ",";
    piece += `${separator}${JSON.stringify(name)}:`;
    const bytes = typeof value === "object" && value !== null ? parser.bytesOf(value) : undefined;
    if (bytes === undefined) {
      piece += printValue(value);
    } else {
      pieces.push(piece, bytes);
      piece = "";
    }
  }
  return [...pieces, `${piece}}`];
}

/** As JSON.stringify, which looks at every character of a text on its own: three times as long. */
function printValue(value: unknown): string {
  return typeof value === "string" && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value);
}
