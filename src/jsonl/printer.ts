import { hasCode } from "../files/source.js";
import type { RecordReader } from "./reader.js";

/** A part of a record in JSON: as text, or as the bytes in which it came. */
export type JsonPiece = string | Uint8Array;

/** What JSON.stringify writes otherwise than it is, within quotes. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** What a field is printed with before its value, and the latest text that was its value. */
interface PrintedField {
  readonly prefix: string;
  text: string;
  printed: string;
}

/** Prints records. Those that come after each other share texts, as the task of a rollout: they are printed once. */
export class RecordPrinter {
  readonly #reader: Pick<RecordReader, "bytesOf">;
  readonly #fields = new Map<string, PrintedField>();

  constructor(reader: Pick<RecordReader, "bytesOf">) {
    this.#reader = reader;
  }

  /**
   * A record as JSON, in pieces: each field whose bytes the reader knows is a piece of its own and copied,
   * which costs nothing, and keeps what printing would change (1.0, integers beyond 2^53, spaces).
   */
  print(record: object): JsonPiece[] {
    const pieces: JsonPiece[] = [];
    let piece = "{";
    for (const [name, value] of Object.entries(record)) {
      if (value === undefined) continue;
      const field = this.#fieldOf(name);
      const separator = piece === "{" && pieces.length === 0 ? "" : ",";
      const bytes =
        typeof value === "object" && value !== null ? this.#reader.bytesOf(value) : undefined;
      if (bytes === undefined) {
        piece += separator + field.prefix + printValue(value, field);
      } else {
        pieces.push(piece + separator + field.prefix, bytes);
        piece = "";
      }
    }
    return [...pieces, `${piece}}`];
  }

  #fieldOf(name: string): PrintedField {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field = { prefix: `${JSON.stringify(name)}:`, text: "", printed: '""' };
    this.#fields.set(name, field);
    return field;
  }
}

function printValue(value: unknown, field: PrintedField): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (value !== field.text) {
    field.text = value;
    field.printed = printText(value);
  }
  return field.printed;
}

/** As JSON.stringify, which looks at every character of a text on its own: three times as long. */
function printText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * What `make` makes; undefined when a text in it would be longer than a string can be. (JSON writes a quote as two
 * characters and a control character as six, so that the length is not known before.)
 */
export function catchStringLimit<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (isTooLong(error)) return undefined;
    throw error;
  }
}

/** V8 throws a RangeError with this text, Node an error with this code. */
function isTooLong(error: unknown): boolean {
  if (error instanceof RangeError && error.message === "Invalid string length") return true;
  return hasCode(error, "ERR_STRING_TOO_LONG");
}
