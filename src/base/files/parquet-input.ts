import type { FileHandle } from "node:fs/promises";
import type { ParquetSource } from "../parquet/source.js";
import { displayName } from "./source.js";

/** The first and the last bytes of a Parquet file. */
export const PARQUET_MAGIC: Buffer = Buffer.from("PAR1");

/** Bytes that are read at a time for those who follow what is read. */
const CHUNK_BYTES = 2 ** 20;

/** Whether an open file is Parquet, whatever its name. A pipe is not: its bytes come once, and Parquet is read from its end. */
export async function isParquet(handle: FileHandle): Promise<boolean> {
  if (!(await handle.stat()).isFile()) return false;
  const { length } = PARQUET_MAGIC;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
  return bytesRead === length && buffer.equals(PARQUET_MAGIC);
}

/**
 * Yields the rows of a Parquet file as lines of JSON: see `readParquetLines`. `onStored` gets every byte of the file once,
 * in order, before the rows that they hold.
 */
export async function* readParquet(
  file: string,
  handle: FileHandle,
  onStored: (chunk: Uint8Array) => void,
  keepsNulls: boolean,
): AsyncGenerator<Uint8Array> {
  const { size } = await handle.stat();
  const memory = Buffer.allocUnsafeSlow(Math.min(size, CHUNK_BYTES));
  let stored = 0;
  const passUpTo = async (end: number): Promise<void> => {
    while (stored < end) {
      const length = Math.min(memory.length, end - stored);
      const { bytesRead } = await handle.read(memory, 0, length, stored);
      if (bytesRead === 0) return;
      onStored(memory.subarray(0, bytesRead));
      stored += bytesRead;
    }
  };
  // Loaded only for such inputs.
  const { readParquetLines } = await import("../parquet/reader.js");
  yield* readParquetLines(toSource(handle, size), displayName(file), passUpTo, { keepsNulls });
  await passUpTo(size);
}

function toSource(handle: FileHandle, size: number): ParquetSource {
  return {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = new Uint8Array(end - start);
      for (let read = 0; read < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
        // Somebody cuts it off right now. What is missing is zeros, which are no Parquet.
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.buffer;
    },
  };
}
