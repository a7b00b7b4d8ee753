import * as zlib from "node:zlib";
import type { Compressors } from "hyparquet";
import { UserError } from "../user-error.js";

/** Decompress pages of Parquet files, as far as Node can. hyparquet itself knows snappy. */
export const decompressors: Compressors = {
  GZIP: (page, length) => zlib.gunzipSync(page, toLimit(length)),
  BROTLI: (page, length) => zlib.brotliDecompressSync(page, toLimit(length)),
  ZSTD: (page, length) => decompressZstd(page, length),
};

/** A damaged page must not fill the memory. */
function toLimit(length: number): { readonly maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, length) };
}

function decompressZstd(page: Uint8Array, length: number): Uint8Array {
  const decompress: unknown = Reflect.get(zlib, "zstdDecompressSync");
  if (typeof decompress !== "function") {
    throw new UserError(
      "its pages are compressed with zstd, which is not supported by this Node (22.15 or later has it): write it with snappy or gzip",
    );
  }
  return decompress(page, toLimit(length));
}
