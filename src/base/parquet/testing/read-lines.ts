import { readParquetLines } from "../reader.js";
import type { ParquetSource } from "../source.js";

/** The bytes of a file that is in memory. */
export function sourceOf(bytes: Uint8Array): ParquetSource {
  return {
    byteLength: bytes.length,
    slice: async (start, end = bytes.length) => Uint8Array.from(bytes.subarray(start, end)).buffer,
  };
}

/** The rows of a Parquet file as lines. */
export async function readLines(bytes: Uint8Array): Promise<string[]> {
  let text = "";
  for await (const chunk of readParquetLines(sourceOf(bytes), "file")) {
    text += Buffer.from(chunk).toString();
  }
  return text.split("\n").slice(0, -1);
}
