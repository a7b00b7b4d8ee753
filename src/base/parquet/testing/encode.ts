import type { Features } from "../../json/feature.js";
import { ParquetEncoder } from "../encoder.js";

interface EncodeOptions {
  readonly rowGroupBytes?: number;
  /** Bytes that are handed over at a time, more or less. Default: all. */
  readonly chunkBytes?: number;
}

/** The Parquet file of these lines. */
export async function encode(
  lines: readonly string[],
  features: Features,
  { rowGroupBytes, chunkBytes = Infinity }: EncodeOptions = {},
): Promise<Buffer> {
  const bytes: Buffer[] = [];
  const write = async (part: Uint8Array): Promise<void> => void bytes.push(Buffer.from(part));
  const encoder = new ParquetEncoder({ features, write, rowGroupBytes });
  let chunk = "";
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < chunkBytes) continue;
    await encoder.write(Buffer.from(chunk));
    chunk = "";
  }
  await encoder.write(Buffer.from(chunk));
  await encoder.finish();
  return Buffer.concat(bytes);
}
