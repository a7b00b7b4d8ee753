import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CompressionId, createCompressor } from "../../base/files/compressor.js";
import type { Features } from "../../base/json/feature.js";

/** How the records of a file are stored, if not as JSONL: as columns, or as compressed JSONL. */
export type RecordEncoding =
  | { readonly id: "parquet"; readonly features: Features }
  | { readonly id: CompressionId };

/** Turns records into the bytes of one file. */
export interface RecordEncoder {
  /** Adds records, given as whole lines. Their memory may be used again afterwards. */
  write(lines: Uint8Array): Promise<void>;
  /** Ends the file. */
  finish(): Promise<void>;
  /** Gives up: nothing more is written. */
  abandon(): Promise<void>;
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** Creates the encoder of a file, whose bytes go to `write` in order. Rethrows the errors of `write`. */
export async function createEncoder(
  encoding: RecordEncoding | undefined,
  write: Write,
): Promise<RecordEncoder> {
  if (encoding === undefined) return { write, async finish() {}, async abandon() {} };
  if (encoding.id !== "parquet") return new CompressingEncoder(encoding.id, write);
  const { ParquetEncoder } = await import("../../base/parquet/encoder.js");
  return new ParquetEncoder({ features: encoding.features, write });
}

/** Compresses on a thread of Node while the next records are built. */
class CompressingEncoder implements RecordEncoder {
  readonly #stream: Transform;
  readonly #written: Promise<void>;

  constructor(id: CompressionId, write: Write) {
    this.#stream = createCompressor(id);
    this.#written = pipeline(this.#stream, async (compressed: AsyncIterable<Uint8Array>) => {
      for await (const bytes of compressed) await write(bytes);
    });
    // Awaited later. Until then a failure must not count as unhandled.
    this.#written.catch(() => {});
  }

  async write(lines: Uint8Array): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      this.#stream.write(lines, () => resolve());
    });
    // If the file cannot be written, the stream is destroyed, and may never take the lines.
    await Promise.race([taken, this.#written]);
  }

  async finish(): Promise<void> {
    this.#stream.end();
    await this.#written;
  }

  async abandon(): Promise<void> {
    this.#stream.destroy();
    await this.#written.catch(() => {});
  }
}
