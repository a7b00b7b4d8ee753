import { gzipSync } from "node:zlib";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Features } from "../json/feature.js";
import { packageVersion } from "../package.js";
import { ColumnBuilder } from "./columns.js";
import { holdsJson, toDatasetsMetadata, toParquetSchema, withoutJsonValues } from "./schema.js";

/** JSON of the records in a row group: enough for columns to compress well, few enough to be held in memory. */
export const ROW_GROUP_BYTES = 32 * 2 ** 20;

const NEWLINE = 0x0a;

interface EncoderOptions {
  readonly features: Features;
  /** Takes the bytes of the file, in order. Their memory is used again afterwards. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Default: `ROW_GROUP_BYTES`. */
  readonly rowGroupBytes?: number | undefined;
}

/**
 * Writes records to one Parquet file, row group by row group. The columns come from `features`, never from the data. The
 * bytes depend on the records alone, not on how many of them are handed over at a time.
 */
export class ParquetEncoder {
  readonly #features: Features;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #rowGroupBytes: number;
  readonly #columns: ColumnBuilder;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #size = 0;

  constructor({ features, write, rowGroupBytes = ROW_GROUP_BYTES }: EncoderOptions) {
    this.#features = features;
    this.#write = write;
    this.#rowGroupBytes = rowGroupBytes;
    this.#columns = new ColumnBuilder(features);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: withoutJsonValues(toParquetSchema(features)),
      codec: "GZIP",
      compressors: { GZIP: (page) => gzipSync(page) },
      kvMetadata: [toDatasetsMetadata(features)],
      createdBy: `rollout-wire ${packageVersion()}`,
    });
  }

  /** Adds records, given as whole lines, which are copied. */
  async write(lines: Uint8Array): Promise<void> {
    // One copy, of which the columns are views.
    const copy = Buffer.from(lines);
    for (let start = 0; start < copy.length; ) {
      const newline = copy.indexOf(NEWLINE, start);
      const end = newline < 0 ? copy.length : newline + 1;
      this.#columns.add(copy.subarray(start, end));
      this.#size += end - start;
      start = end;
      if (this.#size >= this.#rowGroupBytes) await this.#writeRowGroup();
    }
  }

  /** Ends the file. */
  async finish(): Promise<void> {
    if (this.#size > 0) await this.#writeRowGroup();
    // The footer has the whole schema: DuckDB and polars tell JSON from other bytes by the converted type.
    this.#writer.schema = toParquetSchema(this.#features);
    void this.#writer.finish();
    await this.#drain();
  }

  async abandon(): Promise<void> {
    this.#columns.take();
  }

  async #writeRowGroup(): Promise<void> {
    const { rows } = this.#columns;
    const columnData = this.#columns.take().map(({ name, data }) => {
      return { name, data, statistics: !holdsJson(this.#features[name] ?? {}) };
    });
    this.#size = 0;
    void this.#writer.write({ columnData, rowGroupSize: rows });
    await this.#drain();
  }

  async #drain(): Promise<void> {
    await this.#write(this.#bytes.getBytes());
    this.#bytes.index = 0;
  }
}
