import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import type { Features } from "../json/feature.js";
import { runCount } from "../testing/run-count.js";
import { encode } from "./testing/encode.js";
import { readLines } from "./testing/read-lines.js";

const TEXT = { _type: "Value", dtype: "string" } as const;
const JSON_FEATURE = { _type: "Json" } as const;

const FEATURES: Features = {
  text: TEXT,
  integer: { _type: "Value", dtype: "int64" },
  number: { _type: "Value", dtype: "float64" },
  flag: { _type: "Value", dtype: "bool" },
  json: JSON_FEATURE,
  texts: { _type: "List", feature: TEXT },
  messages: { _type: "List", feature: JSON_FEATURE },
  struct: { inner: { list: { _type: "List", feature: TEXT } }, json: JSON_FEATURE },
  structs: { _type: "List", feature: { name: TEXT, values: { _type: "List", feature: TEXT } } },
};

const text = fc.string({ unit: "binary" });
/** Parquet has no undefined within a struct, and no difference between a null and an absent column. */
const record = fc.record(
  {
    text,
    integer: fc.maxSafeInteger(),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    flag: fc.boolean(),
    json: fc.jsonValue().filter((value) => value !== null),
    texts: fc.array(text, { maxLength: 3 }),
    messages: fc.array(fc.jsonValue(), { maxLength: 3 }),
    struct: fc.record({ inner: fc.record({ list: fc.array(text) }), json: fc.jsonValue() }),
    structs: fc.array(fc.record({ name: text, values: fc.array(text, { maxLength: 2 }) })),
  },
  { requiredKeys: [] },
);

function parseLines(lines: readonly string[]): unknown[] {
  return lines.map((line) => JSON.parse(line));
}

test("records of every kind of column come back, whatever the row groups", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 8 }), fc.nat(200), async (records, size) => {
      const lines = records.map((each) => JSON.stringify(each));
      const bytes = await encode(lines, FEATURES, { rowGroupBytes: size });
      const expected = parseLines(lines.map((line) => dropInnerNulls(line)));
      expect(parseLines(await readLines(bytes))).toEqual(expected);
    }),
    { numRuns: runCount(2000, 50) },
  );
});

/** The reader leaves out a null in a struct that no schema declares. */
function dropInnerNulls(line: string): string {
  const value = JSON.parse(line);
  if (value.struct?.json === null) delete value.struct.json;
  return JSON.stringify(value);
}

test("the bytes depend on the records alone", async () => {
  const lines = Array.from({ length: 300 }, (_, index) =>
    JSON.stringify({ text: `t${index % 7}`, messages: [{ role: "user", content: `m${index}` }] }),
  );
  const once = await encode(lines, FEATURES, { rowGroupBytes: 2000 });
  for (const chunkBytes of [1, 100, 5000]) {
    const again = await encode(lines, FEATURES, { rowGroupBytes: 2000, chunkBytes });
    expect(again.equals(once)).toBe(true);
  }
});

test("row groups are bounded by the bytes of their records, but have at least one", async () => {
  const line = JSON.stringify({ text: "x".repeat(100) });
  const lines = Array.from({ length: 10 }, () => line);
  const groupsFor = async (rowGroupBytes: number): Promise<number[]> => {
    const bytes = await encode(lines, FEATURES, { rowGroupBytes });
    return parquetMetadata(bytes).row_groups.map(({ num_rows }) => Number(num_rows));
  };
  expect(await groupsFor(3 * (line.length + 1))).toEqual([3, 3, 3, 1]);
  expect(await groupsFor(1)).toEqual(lines.map(() => 1));
  expect(await groupsFor(1e6)).toEqual([10]);
});

test("the text of JSON is kept as it was written", async () => {
  const json = '{ "a": 1.0, "b": 12345678901234567890, "a": "\\u00e9" }';
  const [line] = await readLines(await encode([`{"json":${json}}`], FEATURES));
  expect(line).toBe(`{"json":${json}}`);
});

test("integers are exact, and may be written with an exponent", async () => {
  const lines = ['{"integer":9007199254740993}', '{"integer":1e3}', '{"integer":-1}'];
  expect(await readLines(await encode(lines, FEATURES))).toEqual([
    '{"integer":9007199254740993}',
    '{"integer":1000}',
    '{"integer":-1}',
  ]);
});

test("the schema comes from the features, also without records", async () => {
  const metadata = parquetMetadata(await encode([], FEATURES));
  expect(metadata.schema.map(({ name }) => name)).toContain("structs");
  expect(metadata.schema.filter(({ converted_type: type }) => type === "JSON")).toHaveLength(3);
  expect(metadata.key_value_metadata).toEqual([
    { key: "huggingface", value: JSON.stringify({ info: { features: FEATURES } }) },
  ]);
});

test("a field without a column is a mistake", async () => {
  await expect(encode(['{"other":1}'], FEATURES)).rejects.toThrow(
    'a record has no column for its field "other"',
  );
});
