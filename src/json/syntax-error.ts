import { isUtf8 } from "node:buffer";
import { parse } from "@humanwhocodes/momoa";
import { previewValue } from "../text.js";
import { MAX_LOCATED_LENGTH } from "./pointer.js";

/** What is wrong with a text that is not JSON, and its column from 1 in UTF-16 code units. */
export interface SyntaxFault {
  readonly column: number;
  readonly message: string;
}

/**
 * Where and why `text` is not JSON, given what JSON.parse threw. The column is 1 when neither V8
 * nor Momoa can say it.
 */
export function describeSyntaxError(text: string, error: unknown): SyntaxFault {
  const reason = error instanceof Error ? error.message : String(error);
  const offset = /end of JSON input|^Unterminated string/.test(reason)
    ? text.length
    : (offsetByV8(reason) ?? offsetByMomoa(text));
  if (offset === undefined) return { column: 1, message: "not JSON" };
  return { column: offset + 1, message: `not JSON: unexpected ${unexpectedAt(text, offset)}` };
}

/** V8 gives the position for most faults, but not for a token that cannot begin a value. */
function offsetByV8(reason: string): number | undefined {
  const position = / at position (\d+)/.exec(reason)?.[1];
  return position === undefined ? undefined : Number(position);
}

function offsetByMomoa(text: string): number | undefined {
  if (text.length > MAX_LOCATED_LENGTH) return undefined;
  try {
    parse(text, { mode: "json" });
  } catch (error) {
    if (error instanceof Error && "offset" in error && typeof error.offset === "number") {
      return error.offset;
    }
  }
  return undefined;
}

/** What is at `offset`: the end, a word such as `NaN`, or one character. */
function unexpectedAt(text: string, offset: number): string {
  if (offset >= text.length) return "end of input";
  const rest = text.slice(offset, offset + 20);
  const word = /^[A-Za-z]\w*/.exec(rest)?.[0];
  return word ?? previewValue(String.fromCodePoint(rest.codePointAt(0) ?? 0));
}

/** Offset of the first byte that is not UTF-8; undefined when there is none. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // Decoding and encoding again changes the first bad byte, and nothing before it.
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const offset = bytes.findIndex((byte, at) => byte !== again[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}
