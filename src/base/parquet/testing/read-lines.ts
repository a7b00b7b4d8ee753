import { decodeHere, type startDecoder } from "../decoder.js";
import { readParquetLines } from "../reader.js";
import type { ParquetSource } from "../source.js";

/** The bytes of a file that is in memory. */
export function sourceOf(bytes: Uint8Array): ParquetSource {
  return {
    byteLength: bytes.length,
    slice: async (start, end = bytes.length) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  };
}

/** The rows of a Parquet file as lines. By default they are decoded without a thread, which takes less time for few rows. */
export async function readLines(
  bytes: Uint8Array,
  start: typeof startDecoder = decodeHere,
): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readParquetLines(sourceOf(bytes), "file", undefined, { start })) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString().split("\n").slice(0, -1);
}
