import { parquetMetadata, type SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter, parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { planGroup, readFooter } from "./group-file.js";
import { encode } from "./testing/encode.js";
import { readLines } from "./testing/read-lines.js";

const FEATURES = { messages: { _type: "List", feature: { _type: "Json" } } } as const;

async function read() {
  const metadata = parquetMetadata(await encode(['{"messages":[1,2]}'], FEATURES));
  const [group] = metadata.row_groups;
  if (group === undefined) throw new TypeError("there is no row group");
  return { metadata, group };
}

/** The end of a file with this schema, and as many rows. */
function footerOf(schema: SchemaElement[], rows = 0n): Uint8Array {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({ writer: bytes, schema });
  writer.num_rows = rows;
  void writer.finish();
  return bytes.getBytes();
}

test("the row groups have the rows of the file", () => {
  const schema = [{ name: "root", num_children: 0 }];
  expect(readFooter(footerOf(schema)).num_rows).toBe(0n);
  expect(() => readFooter(footerOf(schema, 3n))).toThrow(
    "the row groups have not as many rows as the file",
  );
});

test("types that have no form in JSON are refused by their names", () => {
  for (const type of ["VARIANT", "GEOMETRY", "GEOGRAPHY", "BSON"] as const) {
    const element = { name: "a", type: "BYTE_ARRAY", logical_type: { type } } as const;
    const footer = footerOf([{ name: "root", num_children: 1 }, element]);
    expect(() => readFooter(footer)).toThrow(`the column "a" has the type ${type}, which`);
  }
  const interval = { name: "a", type: "FIXED_LEN_BYTE_ARRAY", type_length: 12 } as const;
  const footer = footerOf([
    { name: "root", num_children: 1 },
    { ...interval, converted_type: "INTERVAL" },
  ]);
  expect(() => readFooter(footer)).toThrow(
    'the column "a" has the type INTERVAL, which has no form in JSON: leave it out',
  );
});

test("integers keep their width and sign", async () => {
  const { group } = await read();
  const column = { name: "a", type: "INT32" } as const;
  for (const [isSigned, bitWidth, name] of [
    [true, 8, "INT_8"],
    [false, 16, "UINT_16"],
    [false, 64, "UINT_64"],
  ] as const) {
    const logical_type = { type: "INTEGER", isSigned, bitWidth } as const;
    const { tail } = planGroup(
      [
        { name: "root", num_children: 1 },
        { ...column, logical_type },
      ],
      {
        ...group,
        columns: [],
      },
    );
    const [, element] = parquetMetadata(tail.buffer).schema;
    expect([element?.converted_type, element?.logical_type]).toEqual([name, undefined]);
  }
});

test("a column that is encrypted or elsewhere is named as such", async () => {
  const { metadata, group } = await read();
  const [column] = group.columns;
  const plan = (change: object): (() => unknown) => {
    const columns = [{ file_offset: 0n, ...column, ...change }];
    return () => planGroup(metadata.schema, { ...group, columns });
  };
  expect(plan({})).not.toThrow();
  expect(plan({ crypto_metadata: {} })).toThrow("a column is encrypted");
  expect(plan({ meta_data: undefined })).toThrow("a column is in another file");
  expect(plan({ file_path: "other.parquet" })).toThrow("a column is in another file");
});

test("a column outside the file, and one that is longer than it, are refused", async () => {
  const bytes = await encode(['{"messages":[1,2]}'], FEATURES);
  const { metadata } = await read();
  const end = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const withChunk = (change: object): Buffer => {
    const writer = new ByteWriter();
    const file = new ParquetWriter({ writer, schema: metadata.schema });
    const groups = metadata.row_groups.map((group) => ({
      ...group,
      columns: group.columns.map(({ meta_data, ...column }) => {
        if (meta_data === undefined) throw new TypeError("there is no column");
        return { ...column, meta_data: { ...meta_data, statistics: undefined, ...change } };
      }),
    }));
    file.row_groups.push(...groups);
    file.num_rows = metadata.num_rows;
    void file.finish();
    return Buffer.concat([bytes.subarray(0, end), writer.getBytes().subarray(4)]);
  };
  expect(await readLines(withChunk({}))).toHaveLength(1);
  await expect(readLines(withChunk({ data_page_offset: 10n ** 6n }))).rejects.toThrow(
    "file: cannot be read as Parquet: row group 1: it refers to bytes outside the file",
  );
  await expect(readLines(withChunk({ total_compressed_size: 10n ** 12n }))).rejects.toThrow(
    "row group 1: its columns are longer than the file",
  );
  await expect(readLines(withChunk({ total_compressed_size: 5n }))).rejects.toThrow("row group 1");
  await expect(readLines(withChunk({ num_values: 0n }))).rejects.toThrow(
    "a column has not as many values as there are rows",
  );
});

test("what has no rows has no lines", async () => {
  const file = parquetWriteBuffer({ columnData: [{ name: "line", data: [], type: "STRING" }] });
  expect(await readLines(new Uint8Array(file))).toEqual([]);
});
