import { crc32 } from "node:zlib";
import {
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadata,
  type RowGroup,
  type SchemaElement,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { damaged, describeColumn, ParquetProblem } from "./problems.js";

/** A file with one row group: where its columns are in the original file, and what follows them in the new one. */
export interface GroupPlan {
  readonly columns: readonly ByteRange[];
  readonly tail: Uint8Array<ArrayBuffer>;
}

/** Bytes of a file from `start` up to `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `PAR1`, with which a Parquet file begins and ends. */
export const MAGIC = "PAR1";

/** Types that have no form in JSON. */
const UNSUPPORTED: readonly (string | undefined)[] = [
  ...["VARIANT", "GEOMETRY", "GEOGRAPHY"],
  ...["BSON", "INTERVAL"],
];

/** Far more rows than a row group has. Damage may name any number. */
const MAX_ROWS = 2 ** 28;

/** For the statistics of columns, which are not used. They may be cut anywhere. */
const NO_PARSERS = {
  stringFromBytes: (bytes: Uint8Array) => bytes,
  jsonFromBytes: (bytes: Uint8Array) => bytes,
};

/** Reads the footer of a file, with all bytes up to its end. Throws Error if it is damaged, or names what is not supported. */
export function readFooter(footer: Uint8Array): FileMetaData {
  const metadata = parquetMetadata(footer, { parsers: NO_PARSERS, geoparquet: false });
  for (const element of metadata.schema) {
    const types = [element.logical_type?.type, element.converted_type];
    const unsupported = types.find((type) => UNSUPPORTED.includes(type));
    if (unsupported !== undefined)
      throw new ParquetProblem(
        `${describeColumn(element.name)} has the type ${unsupported}, which has no form in JSON: leave it out`,
      );
    // Some writers give JSON only the newer of its two types.
    if (element.logical_type?.type === "JSON") element.converted_type = "JSON";
  }
  const rows = metadata.row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (rows !== metadata.num_rows) throw damaged("the row groups have not as many rows as the file");
  return metadata;
}

/** Plans the file of a row group of a file with this schema. Throws Error if the bytes of a column are elsewhere. */
export function planGroup(schema: readonly SchemaElement[], group: RowGroup): GroupPlan {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema: schema.map(toDecoded) });
  const head = bytes.offset;
  let end = BigInt(head);
  const ranges: ByteRange[] = [];
  const columns = group.columns.map(({ file_path, meta_data, crypto_metadata }) => {
    if (crypto_metadata !== undefined) {
      throw new ParquetProblem("a column is encrypted: decrypt the file first");
    }
    if (file_path !== undefined || meta_data === undefined) {
      throw new ParquetProblem("a column is in another file: write them into one");
    }
    // Every row has a value in every column, or a null, or an empty list.
    if (group.num_rows > MAX_ROWS || group.num_rows > meta_data.num_values) {
      throw damaged("a column has not as many values as there are rows");
    }
    // Some writers put zero for no dictionary.
    const start = meta_data.dictionary_page_offset || meta_data.data_page_offset;
    const size = meta_data.total_compressed_size;
    ranges.push({ start: Number(start), end: Number(start + size) });
    const column = moveColumn(meta_data, end - start);
    end += size;
    return { file_offset: 0n, meta_data: column };
  });
  writer.row_groups.push({ ...group, columns });
  writer.num_rows = group.num_rows;
  void writer.finish();
  return { columns: ranges, tail: Uint8Array.from(bytes.getBytes().subarray(head)) };
}

const INTEGERS = [
  ...(["INT_8", "INT_16", "INT_32", "INT_64"] as const),
  ...(["UINT_8", "UINT_16", "UINT_32", "UINT_64"] as const),
];

/**
 * A column as it is decoded: text and JSON are bytes, and times are printed as their numbers. Integers
 * have the older of their two types, because hyparquet-writer writes another number of bits into the newer one.
 */
function toDecoded(element: SchemaElement): SchemaElement {
  const { converted_type, logical_type, ...plain } = element;
  if (logical_type?.type === "INTEGER") {
    const name = `${logical_type.isSigned ? "" : "U"}INT_${logical_type.bitWidth}`;
    return { ...plain, converted_type: INTEGERS.find((integer) => integer === name) };
  }
  if (element.type === "BYTE_ARRAY" && converted_type !== "DECIMAL") return plain;
  const isTime = converted_type?.startsWith("TIME_") === true || logical_type?.type === "TIME";
  return isTime ? plain : element;
}

/** The entry of a column that begins `distance` bytes later. What is not needed to read it is left out. */
function moveColumn(
  { type, encodings, path_in_schema, codec, num_values, ...column }: ColumnMetaData,
  distance: bigint,
): ColumnMetaData {
  const { total_uncompressed_size, total_compressed_size, data_page_offset } = column;
  return {
    ...{ type, encodings, path_in_schema, codec, num_values },
    ...{ total_uncompressed_size, total_compressed_size },
    data_page_offset: data_page_offset + distance,
    ...(column.dictionary_page_offset && {
      dictionary_page_offset: column.dictionary_page_offset + distance,
    }),
  };
}

/** Throws Error if a page in the file of a group has a checksum, and it is wrong. */
export function checkPages(file: Uint8Array, { columns }: GroupPlan): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const reader = { view, offset: MAGIC.length };
  for (const { start, end } of columns) {
    const columnEnd = reader.offset + end - start;
    while (reader.offset < columnEnd) {
      const { crc, compressed_page_size: size } = parquetHeader(reader);
      const pageEnd = reader.offset + size;
      if (!(size >= 0 && pageEnd <= columnEnd)) throw damaged("a page ends outside its column");
      // Only if the writer was asked for it.
      if (crc !== undefined && crc >>> 0 !== crc32(file.subarray(reader.offset, pageEnd))) {
        throw damaged("a page has not the checksum that its header names");
      }
      reader.offset = pageEnd;
    }
  }
}
