import { gzipSync } from "node:zlib";
import { parquetMetadata, type SchemaElement } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import type { Features } from "../json/feature.js";
import { countAttacks } from "../testing/attacks.js";
import { runCount } from "../testing/run-count.js";
import { EXIT, UserError } from "../user-error.js";
import { startDecoder } from "./decoder.js";
import { readParquetLines } from "./reader.js";
import { encode } from "./testing/encode.js";
import { ADVICE, FOREIGN } from "./testing/messages.js";
import { readLines, sourceOf } from "./testing/read-lines.js";

const FEATURES: Features = {
  text: { _type: "Value", dtype: "string" },
  messages: { _type: "List", feature: { _type: "Json" } },
};

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({ text: `text ${index}`, messages: [{ role: "user", content: `${index}` }] }),
  );
}

async function readError(bytes: Uint8Array): Promise<string> {
  const error = await readLines(bytes).catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new Error(`no UserError: ${String(error)}`);
  expect(error.exitCode).toBe(EXIT.unreadable);
  return error.message;
}

test("one column of text holds whole lines", async () => {
  const lines = linesOf(3);
  for (const type of ["STRING", "BYTE_ARRAY"] as const) {
    const data = lines.map((line) => (type === "STRING" ? line : Buffer.from(line)));
    const file = parquetWriteBuffer({ columnData: [{ name: "anything", data, type }] });
    expect(await readLines(new Uint8Array(file))).toEqual(lines);
  }
});

test("the reader is told how far it reads, row group by row group", async () => {
  const bytes = await encode(linesOf(10), FEATURES, { rowGroupBytes: 200 });
  const groups = parquetMetadata(bytes).row_groups.length;
  const ends: number[] = [];
  const reading = readParquetLines(sourceOf(bytes), "file", async (end) => void ends.push(end));
  let text = "";
  for await (const chunk of reading) text += Buffer.from(chunk).toString();
  expect(text.split("\n")).toHaveLength(11);
  expect(groups).toBeGreaterThan(2);
  expect(ends).toHaveLength(groups);
  expect(ends).toEqual(ends.toSorted((a, b) => a - b));
  expect(ends.at(-1)).toBeLessThan(bytes.length);
});

describe("a file that cannot be read is named, with the reason", () => {
  test("cut off", async () => {
    const bytes = await encode(linesOf(5), FEATURES);
    expect(await readError(bytes.subarray(0, -10))).toBe(
      "file: cannot be read as Parquet: it does not end with a footer, as if it were cut off: copy the file again, or write it again",
    );
    expect(await readError(Buffer.from("PAR1"))).toMatch(/^file: cannot be read as Parquet: /);
  });

  test("an encrypted one", async () => {
    expect(await readError(Buffer.from("PARE....PARE"))).toBe(
      "file: cannot be read as Parquet: it is encrypted: decrypt it first",
    );
  });

  const noText = (path: string): string =>
    `file: cannot be read as Parquet: row group 1: the column "${path}" has bytes that are not UTF-8, so no text: leave it out, or write it as text`;

  test.each([
    ["no character", [Buffer.from([0x61, 0xff])]],
    ["half a character each", [Buffer.from([0xc3]), Buffer.from([0xa4])]],
    ["in a later row", [...linesOf(3).map((line) => Buffer.from(line)), Buffer.of(0x89, 0x50)]],
  ])("the column that has no text: %s", async (_, data) => {
    const other = { name: "task", data: data.map(() => "text"), type: "STRING" } as const;
    const bytes = { name: "image", data, type: "BYTE_ARRAY" } as const;
    for (const columnData of [[bytes], [other, bytes], [bytes, other]]) {
      const file = new Uint8Array(parquetWriteBuffer({ columnData }));
      expect(await readError(file)).toBe(noText("image"));
      const inThread = readLines(file, startDecoder);
      await expect(inThread).rejects.toThrow(noText("image"));
    }
  });

  test("the column that has no text, in structs and lists", async () => {
    const optional = { repetition_type: "OPTIONAL" } as const;
    const schema: SchemaElement[] = [
      { name: "root", num_children: 1 },
      { ...optional, name: "images", converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      { ...optional, name: "element", num_children: 2 },
      { ...optional, name: "path", type: "BYTE_ARRAY", converted_type: "UTF8" },
      { ...optional, name: "bytes", type: "BYTE_ARRAY" },
    ];
    const data = [[{ path: "a", bytes: Buffer.of(0xff, 0xd8) }]];
    const file = parquetWriteBuffer({ schema, columnData: [{ name: "images", data }] });
    expect(await readError(new Uint8Array(file))).toBe(noText("images.bytes"));
  });

  test("text that says it is text, and is not UTF-8", async () => {
    const schema: SchemaElement[] = [
      { name: "root", num_children: 1 },
      { name: "task", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    ];
    const valid = Buffer.from(
      parquetWriteBuffer({
        ...{ schema, codec: "UNCOMPRESSED", statistics: false },
        columnData: [{ name: "task", data: ["a long text"] }],
      }),
    );
    valid[valid.indexOf("long")] = 0xff;
    expect(await readError(valid)).toBe(noText("task"));
  });

  test("a compression that is not supported", async () => {
    const file = parquetWriteBuffer({
      columnData: [{ name: "line", data: linesOf(1), type: "STRING" }],
      codec: "LZO",
      compressors: { LZO: (page) => gzipSync(page) },
    });
    expect(await readError(new Uint8Array(file))).toMatch(
      /^file: cannot be read as Parquet: row group 1: it is stored in a way that is not supported \(.*LZO.*\): write it with another compression or encoding$/,
    );
  });

  test("an error of the disk stays what it is", async () => {
    const bytes = await encode(linesOf(5), FEATURES);
    const failure = new Error("EIO");
    const source = { byteLength: bytes.length, slice: () => Promise.reject(failure) };
    await expect(readParquetLines(source, "file").next()).rejects.toBe(failure);
  });
});

test("a file that is cut off anywhere is refused", async (context) => {
  const bytes = await encode(linesOf(40), FEATURES, { rowGroupBytes: 1000 });
  const attacks = countAttacks(context, "Parquet that is cut off", 500);
  await attacks.attemptAll(bytes.length, async () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(await readError(bytes.subarray(0, length))).toMatch(
        /^file: cannot be read as Parquet: /,
      );
    }
  });
});

test("any other bit of the footer gives other lines, or the error", async (context) => {
  const bytes = await encode(linesOf(40), FEATURES, { rowGroupBytes: 1000 });
  const start = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const bits = 8 * (bytes.length - start);
  const count = runCount(bits, 400);
  const attacks = countAttacks(context, "damaged footers of Parquet", count);
  await attacks.attemptAll(count, async () => {
    for (let attempt = 0; attempt < count; attempt += 1) {
      const bit = 8 * start + Math.floor((attempt * bits) / count);
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
      if (Array.isArray(outcome)) continue;
      expect(outcome).toBeInstanceOf(UserError);
      expect(String(outcome)).toMatch(ADVICE);
      expect(String(outcome)).not.toMatch(FOREIGN);
    }
  });
});

test("a page with other bytes is refused", async (context) => {
  const bytes = await encode(linesOf(40), FEATURES);
  const { data_page_offset: start, total_compressed_size: size } =
    parquetMetadata(bytes).row_groups[0]?.columns[0]?.meta_data ?? {};
  const [first, end] = [Number(start), Number(start) + Number(size)];
  // The compressed values, behind the header and the levels of the page.
  const values = bytes.indexOf(Buffer.from([0x1f, 0x8b]), first);
  const attacks = countAttacks(context, "damaged pages of Parquet", 50);
  await attacks.attemptAll(end - values, async () => {
    for (let at = values; at < end; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
      if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(UserError);
    }
  });
});
