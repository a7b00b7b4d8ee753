import type { Features } from "../parquet/features.js";

/** How the records of a file are stored. Absent: as JSONL. */
export interface RecordEncoding {
  readonly id: "parquet";
  /** The columns. */
  readonly features: Features;
}

/** Turns records into the bytes of one file. */
export interface RecordEncoder {
  /** Adds records, given as whole lines. Their memory may be used again afterwards. */
  write(lines: Uint8Array): Promise<void>;
  /** Ends the file. */
  finish(): Promise<void>;
}

/** Creates the encoder of a file, whose bytes go to `write` in order. */
export async function createEncoder(
  encoding: RecordEncoding | undefined,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<RecordEncoder> {
  if (encoding === undefined) return { write, async finish() {} };
  const { ParquetEncoder } = await import("../parquet/encoder.js");
  return new ParquetEncoder({ features: encoding.features, write });
}
