import type { Transform } from "node:stream";
import * as zlib from "node:zlib";
import { EXIT, UserError } from "../user-error.js";

/** How a whole file may be compressed, with the ending of its name. */
export const COMPRESSIONS = { gzip: "gz", zstd: "zst" } as const;

export type CompressionId = keyof typeof COMPRESSIONS;

export const COMPRESSION_IDS = ["gzip", "zstd"] as const satisfies readonly CompressionId[];

/**
 * Levels at which more would cost more than it saves. On 800 kB of exported records, gzip 6 gives 8.3 % of the size at 77
 * MB/s, and 9 gives 8.1 % at 53 MB/s; zstd 3 gives 6.6 % at 330 MB/s, and 9 gives 5.6 % at 54 MB/s.
 */
const LEVELS = { gzip: 6, zstd: 3 } as const;

/**
 * Creates a stream that compresses. One content gives one sequence of bytes, without the time, with one version of Node
 * on one kind of processor. Throws UserError (exit 2) if this version of Node lacks the compression.
 */
export function createCompressor(id: CompressionId): Transform {
  if (id === "gzip") return zlib.createGzip({ level: LEVELS.gzip });
  const create: unknown = Reflect.get(zlib, "createZstdCompress");
  if (typeof create !== "function") {
    throw new UserError(
      "zstd is not supported by this Node (22.15 or later has it): use gzip",
      EXIT.usage,
    );
  }
  const level: unknown = Reflect.get(zlib.constants, "ZSTD_c_compressionLevel");
  return create({ params: { [Number(level)]: LEVELS.zstd } });
}
