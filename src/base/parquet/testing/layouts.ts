import { brotliCompressSync, gzipSync } from "node:zlib";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";

const ROWS = 40;

const numbers = Array.from({ length: ROWS }, (_, index) => index * index - 9);
const bigints = numbers.map((number) => (number % 3 === 0 ? undefined : BigInt(number) * 1001n));
const texts = numbers.map((number) => (number % 5 === 0 ? undefined : `täxt ${number % 7}`));

/** Values of every kind that a column holds, in one file. */
const FLAT: readonly ColumnSource[] = [
  { name: "text", data: texts, type: "STRING" },
  { name: "int", data: numbers, type: "INT32", nullable: false },
  { name: "bigint", data: bigints, type: "INT64" },
  { name: "double", data: numbers.map((number) => number / 7), type: "DOUBLE" },
  { name: "flag", data: numbers.map((number) => number % 2 === 0), type: "BOOLEAN" },
  { name: "same", data: numbers.map(() => "always the same"), type: "STRING" },
];

const lists = numbers.map((number) =>
  number % 4 === 0
    ? undefined
    : numbers.slice(0, Math.abs(number) % 3).map((step) => ({
        name: step % 2 === 0 ? undefined : `f${step}`,
        inner: { steps: numbers.slice(0, step % 4) },
      })),
);

const NESTED_SCHEMA = [
  { name: "root", num_children: 1 },
  {
    name: "events",
    repetition_type: "OPTIONAL",
    converted_type: "LIST",
    num_children: 1,
  },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", repetition_type: "OPTIONAL", num_children: 2 },
  { name: "name", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
  { name: "inner", repetition_type: "REQUIRED", num_children: 1 },
  { name: "steps", repetition_type: "REQUIRED", converted_type: "LIST", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", type: "INT32", repetition_type: "REQUIRED" },
] as const;

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], "columnData">;

function writeFlat(options: Options, encodings: Readonly<Record<string, string>> = {}): Buffer {
  const columnData = FLAT.map((column) => ({ ...column, encoding: encodings[column.name] }));
  return Buffer.from(parquetWriteBuffer({ ...options, columnData } as never));
}

function writeNested(options: Options): Buffer {
  const columnData = [{ name: "events", data: lists }];
  const schema = NESTED_SCHEMA.map((element) => ({ ...element }));
  return Buffer.from(parquetWriteBuffer({ ...options, schema, columnData }));
}

const compressors = {
  GZIP: (page: Uint8Array) => gzipSync(page),
  BROTLI: (page: Uint8Array) => brotliCompressSync(page),
};

/** Small files, by how they are laid out. The flat ones have the same rows, as have the nested ones. */
export const layouts: Readonly<Record<string, () => Buffer>> = {
  "flat, snappy": () => writeFlat({}),
  "flat, small pages and row groups": () =>
    writeFlat({ codec: "UNCOMPRESSED", pageSize: 40, rowGroupSize: 15 }),
  "flat, gzip": () => writeFlat({ codec: "GZIP", compressors }),
  "flat, plain": () =>
    writeFlat({ codec: "UNCOMPRESSED" }, { text: "PLAIN", same: "PLAIN", int: "PLAIN" }),
  "flat, differences": () =>
    writeFlat(
      { codec: "UNCOMPRESSED" },
      {
        text: "DELTA_BYTE_ARRAY",
        same: "DELTA_LENGTH_BYTE_ARRAY",
        int: "DELTA_BINARY_PACKED",
        bigint: "DELTA_BINARY_PACKED",
        double: "BYTE_STREAM_SPLIT",
        flag: "RLE",
      },
    ),
  "nested, snappy": () => writeNested({}),
  "nested, brotli": () => writeNested({ codec: "BROTLI", compressors }),
  "nested, small pages": () => writeNested({ codec: "UNCOMPRESSED", pageSize: 40 }),
};
