import { constants } from "node:buffer";
import { UserError } from "../user-error.js";
import { findInvalidUtf8 } from "./find-invalid-utf8.js";
import { formatBytes } from "./format-bytes.js";
import { displayName, type InputSource } from "./input-source.js";
import { openInput } from "./open-input.js";

/**
 * The whole text of `file`, without a byte-order mark; gzip is unpacked, and `-` is standard input.
 * By default it may be as long as V8's longest string.
 *
 * Throws UserError (exit 3) when the file cannot be read, is not UTF-8, or is longer than `maxBytes`.
 */
export async function readText(
  file: string,
  source: InputSource,
  maxBytes: number = constants.MAX_STRING_LENGTH,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of openInput(file, source)) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new UserError(
        `${displayName(file)}: more than ${formatBytes(maxBytes)}: too long to be read at once`,
      );
    }
    chunks.push(Uint8Array.from(chunk));
  }
  const bytes = Buffer.concat(chunks);
  const invalid = findInvalidUtf8(bytes);
  if (invalid === undefined) return bytes.toString("utf8").replace(/^\ufeff/, "");
  const line = bytes.toString("utf8", 0, invalid).split("\n").length;
  const byte = bytes.toString("hex", invalid, invalid + 1);
  throw new UserError(`${displayName(file)}:${line}: not UTF-8: byte 0x${byte}`);
}
