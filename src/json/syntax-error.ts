import { isUtf8 } from "node:buffer";
import { parse } from "@humanwhocodes/momoa";
import { previewValue } from "../text.js";
import { MAX_LOCATED_LENGTH } from "./pointer.js";

/** Why a text is not JSON, and the column of the error, from 1 in UTF-16 code units. */
export interface SyntaxFault {
  readonly column: number;
  readonly message: string;
}

/**
 * Says where and why `text` is not JSON, given the error that JSON.parse threw. The column is 1 if neither V8
 * nor Momoa reports a position.
 */
export function describeSyntaxError(text: string, error: unknown): SyntaxFault {
  const reason = error instanceof Error ? error.message : String(error);
  const offset = /end of JSON input|^Unterminated string/.test(reason)
    ? text.length
    : (offsetByV8(reason) ?? offsetByMomoa(text));
  if (offset === undefined) return { column: 1, message: "not JSON" };
  return { column: offset + 1, message: `not JSON: unexpected ${unexpectedAt(text, offset)}` };
}

/** V8 reports the position of most errors, but not of a token that cannot begin a value. */
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

/** Words that other languages write for values. Any other word may be a secret, so messages do not quote it. */
const FOREIGN_WORD =
  /^(?:NaN|nan|Infinity|inf|undefined|True|False|None|TRUE|FALSE|NULL|Null|nil)(?!\w)/;

/** Describes the input at `offset`: its end, a word such as `NaN`, or one character. */
function unexpectedAt(text: string, offset: number): string {
  if (offset >= text.length) return "end of input";
  const rest = text.slice(offset, offset + 20);
  const word = FOREIGN_WORD.exec(rest)?.[0];
  return word ?? previewValue(String.fromCodePoint(rest.codePointAt(0) ?? 0));
}

/** Offset of the first invalid UTF-8 byte; undefined if there is none. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // A round trip through a string changes the first invalid byte and nothing before it.
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const offset = bytes.findIndex((byte, at) => byte !== again[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}
