import { hasCode } from "../files/source.js";
import { printJson } from "../json/print.js";
import type { RecordReader } from "./reader.js";

/** A piece of a JSON record: text, or the bytes in which it was read. */
export type JsonPiece = string | Uint8Array;

/** Characters that JSON.stringify escapes within quotes. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** A field's printed name, and the most recent string value with its printed form. */
interface PrintedField {
  readonly prefix: string;
  text: string;
  printed: string;
}

/**
 * Prints records. Successive records often share long texts, such as the task of a rollout; these are
 * serialized once.
 */
export class RecordPrinter {
  readonly #reader: Pick<RecordReader, "bytesOf">;
  readonly #fields = new Map<string, PrintedField>();

  constructor(reader: Pick<RecordReader, "bytesOf">) {
    this.#reader = reader;
  }

  /**
   * Prints a record as JSON, in pieces. Each field whose bytes the reader remembers is its own piece and is
   * copied. This is fast, and it preserves what printing would change (1.0, integers beyond 2^53, spaces).
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
  if (typeof value !== "string") return printJson(value);
  if (value !== field.text) {
    field.text = value;
    field.printed = printText(value);
  }
  return field.printed;
}

/** Same result as JSON.stringify, which checks every character and takes three times as long. */
function printText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * Returns the result of `make`, or undefined if a string in it exceeds V8's maximum length. The length is not
 * known in advance: JSON writes a quote as two characters and a control character as six.
 */
export function catchStringLimit<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (isTooLong(error)) return undefined;
    throw error;
  }
}

/** V8 throws a RangeError with this text; Node throws an error with this code. */
function isTooLong(error: unknown): boolean {
  if (error instanceof RangeError && error.message === "Invalid string length") return true;
  return hasCode(error, "ERR_STRING_TOO_LONG");
}
