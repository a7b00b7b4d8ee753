import * as zlib from "node:zlib";
import type { CompressionCodec } from "hyparquet/src/types.js";
import { decompressSnappy } from "./snappy.js";

/** Decompresses a page to exactly `length` bytes. Throws Error if it has others, or Node does not know its compression. */
export function decompress(codec: CompressionCodec, page: Uint8Array, length: number): Uint8Array {
  // Some writers leave out the compressed form of nothing.
  const bytes = page.length === 0 ? page : decompressAny(codec, page, length);
  if (bytes.length !== length) {
    throw new Error(`a page has ${bytes.length} bytes instead of the ${length} of its header`);
  }
  return bytes;
}

function decompressAny(codec: CompressionCodec, page: Uint8Array, length: number): Uint8Array {
  // A damaged page must not fill the memory.
  const options = { maxOutputLength: Math.max(1, length) };
  switch (codec) {
    case "UNCOMPRESSED":
      return page;
    case "SNAPPY":
      return decompressSnappy(page, length);
    case "GZIP":
      return zlib.gunzipSync(page, options);
    case "BROTLI":
      return zlib.brotliDecompressSync(page, options);
    case "ZSTD":
      return decompressZstd(page, options);
    default:
      throw new Error(`unsupported compression codec: ${codec}`);
  }
}

function decompressZstd(page: Uint8Array, options: object): Uint8Array {
  const decompress: unknown = Reflect.get(zlib, "zstdDecompressSync");
  if (typeof decompress !== "function") {
    throw new Error(
      "its pages are compressed with zstd, which is not supported by this Node (22.15 or later has it): write it with snappy or gzip",
    );
  }
  return decompress(page, options);
}
