import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { EXIT, UserError } from "../user-error.js";
import { readRecords as readInNode } from "./read-records.js";
import type { RecordInput } from "./record-input.js";
import type { RecordLine } from "./record-line.js";
import { readRecords } from "./web-reader.js";

type Read = (input: RecordInput) => AsyncIterable<RecordLine[]>;

async function read(input: RecordInput, reader: Read = readRecords): Promise<object[]> {
  const lines: RecordLine[] = [];
  for await (const batch of reader(input)) lines.push(...batch);
  return lines.map(({ file, ...line }) => line);
}

const TEXT = '{"a": "\u00e9"}\n\n  \n[1]\n{"b": NaN}\r\n{"c": 1}';

test.each<[string, () => RecordInput]>([
  ["a Blob", () => new Blob([TEXT])],
  ["a response, compressed", () => new Response(gzipSync(TEXT))],
  ["bytes one by one", () => toChunks([...Buffer.from(TEXT)].map((byte) => Uint8Array.of(byte)))],
  ["texts", () => toChunks([TEXT.slice(0, 12), TEXT.slice(12)])],
  ["a byte-order mark", () => new Blob(["\ufeff", TEXT, "\n\ufeff{}"])],
  ["spaces that are none in JSON", () => new Blob(["\u00a0\n\u2028\n\f\n\t \r\n{}"])],
  ["nothing", () => new Blob([])],
  ["a response without a body", () => new Response(null)],
])("%s is read as in Node", async (_, open) => {
  expect(await read(open())).toEqual(await read(open(), readInNode));
});

async function* toChunks<Chunk>(chunks: readonly Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks;
}

test("a line that is not UTF-8 is a fault", async () => {
  const lines = await read(new Blob([Uint8Array.of(0x22, 0xff, 0x22, 0x0a), "{}"]));
  expect(lines).toEqual([
    {
      line: 1,
      byteLength: 3,
      fault: { id: "json", column: 1, message: "not UTF-8", cause: "not UTF-8" },
    },
    { line: 2, byteLength: 2, text: "{}", value: {} },
  ]);
});

test.each<[RecordInput, string]>([
  [
    "a.jsonl",
    "a browser opens no files: give a Blob (such as a File), a Response or a stream instead of a path",
  ],
  [new Blob(["PAR1"]), "a browser reads lines, plain or gzip, and no Parquet: convert it first"],
  [
    new Blob([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)]),
    "a browser reads lines, plain or gzip, and no zstd: convert it first",
  ],
])("what a browser cannot read is a UserError: %o", async (input, message) => {
  await expect(read(input)).rejects.toEqual(new UserError(message, EXIT.unreadable));
});
