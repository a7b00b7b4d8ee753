import type { LineParser } from "./line-parser.js";

/**
 * A record as JSON, in pieces: each field whose text the parser knows is a piece of its own and copied,
 * which costs nothing, and keeps what printing would change (1.0, integers beyond 2^53, spaces).
 */
export function printRecord(record: object, parser: Pick<LineParser, "textOf">): string[] {
  const pieces: string[] = [];
  let piece = "{";
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const separator = piece === "{" && pieces.length === 0 ? "" : ",";
    piece += `${separator}${JSON.stringify(name)}:`;
    const text = typeof value === "object" && value !== null ? parser.textOf(value) : undefined;
    if (text === undefined) {
      piece += JSON.stringify(value);
    } else {
      pieces.push(piece, text);
      piece = "";
    }
  }
  return [...pieces, `${piece}}`];
}
