import { gzipSync } from "node:zlib";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import type { Features } from "../json/feature.js";
import { countAttacks } from "../testing/attacks.js";
import { runCount } from "../testing/run-count.js";
import { EXIT, UserError } from "../user-error.js";
import { readParquetLines } from "./reader.js";
import { encode } from "./testing/encode.js";
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
      "file: cannot be read as Parquet: file invalid (footer != PAR1)",
    );
    expect(await readError(Buffer.from("PAR1"))).toMatch(/^file: cannot be read as Parquet: /);
  });

  test("text that is not UTF-8", async () => {
    const data = [Buffer.from([0x61, 0xff])];
    const file = parquetWriteBuffer({ columnData: [{ name: "line", data, type: "BYTE_ARRAY" }] });
    expect(await readError(new Uint8Array(file))).toMatch(
      /^file: cannot be read as Parquet: row group 1: .*UTF-?8/i,
    );
  });

  test("a compression that is not supported", async () => {
    const file = parquetWriteBuffer({
      columnData: [{ name: "line", data: linesOf(1), type: "STRING" }],
      codec: "LZO",
      compressors: { LZO: (page) => gzipSync(page) },
    });
    expect(await readError(new Uint8Array(file))).toMatch(
      /^file: cannot be read as Parquet: row group 1: .*LZO/,
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
  const count = runCount(bits);
  const attacks = countAttacks(context, "damaged footers of Parquet", count);
  await attacks.attemptAll(count, async () => {
    for (let attempt = 0; attempt < count; attempt += 1) {
      const bit = 8 * start + Math.floor((attempt * bits) / count);
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
      if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(UserError);
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
