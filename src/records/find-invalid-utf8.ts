import { isUtf8 } from "node:buffer";

/** Offset of the first byte that is not UTF-8; undefined when there is none. */
export function findInvalidUtf8(bytes: Buffer): number | undefined {
  if (isUtf8(bytes)) return undefined;
  // Decoding and encoding again changes the first bad byte, and nothing before it.
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const offset = bytes.findIndex((byte, at) => byte !== again[at]);
  return offset < 0 ? bytes.length - 1 : offset;
}
