import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** `sha256:` and the 64 hexadecimal digits of the hash of bytes, or of text in UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(data).digest("hex")}`;
}

/** Hash of a file's bytes, as reports have it. Rejects if the file cannot be read. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), hash);
  return `sha256:${hash.digest("hex")}`;
}

/** Larger than the default of streams, whose chunks cost more than their bytes. */
const CHUNK_BYTES = 2 ** 20;
