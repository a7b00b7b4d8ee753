import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { checkMetadata } from "./check.js";
import { encode } from "./testing/encode.js";

const FEATURES = { messages: { _type: "List", feature: { _type: "Json" } } } as const;

async function read() {
  const bytes = await encode(['{"messages":[1,2]}', '{"messages":[]}'], FEATURES);
  return { metadata: parquetMetadata(bytes), size: bytes.length };
}

test("what a writer wrote is right", async () => {
  const { metadata, size } = await read();
  expect(() => checkMetadata(metadata, size)).not.toThrow();
});

test("a schema has exactly the children that it names", async () => {
  const { metadata, size } = await read();
  for (const children of [0, 2, 2 ** 31, -1]) {
    const [root, ...others] = metadata.schema;
    const schema = [{ ...root, name: "schema", num_children: children }, ...others];
    expect(() => checkMetadata({ ...metadata, schema }, size)).toThrow("the schema is no tree");
  }
});

test("the row groups have the rows of the file", async () => {
  const { metadata, size } = await read();
  expect(() => checkMetadata({ ...metadata, num_rows: 3n }, size)).toThrow(
    "the row groups have not as many rows as the file",
  );
  expect(() => checkMetadata({ ...metadata, row_groups: [] }, size)).toThrow("as many rows");
});

test("a row group has its columns in the file, and values for its rows", async () => {
  const { metadata, size } = await read();
  const [group] = metadata.row_groups;
  if (group === undefined) throw new TypeError("there is no row group");
  const failWith = (change: object): (() => void) => {
    return () => checkMetadata({ ...metadata, row_groups: [{ ...group, ...change }] }, size);
  };
  expect(failWith({ columns: [] })).toThrow("has not the columns of the schema");
  expect(failWith({ num_rows: 4n })).toThrow("has not as many rows");
  expect(failWith({ num_rows: -1n })).toThrow("has not as many rows");
  const [column] = group.columns;
  const withChunk = (change: object): (() => void) =>
    failWith({ columns: [{ ...column, meta_data: { ...column?.meta_data, ...change } }] });
  expect(withChunk({ total_compressed_size: BigInt(size) })).toThrow("lies outside the file");
  expect(withChunk({ data_page_offset: 0n, dictionary_page_offset: undefined })).toThrow("outside");
  expect(withChunk({ num_values: 2n ** 40n })).toThrow("has not as many rows");
});
