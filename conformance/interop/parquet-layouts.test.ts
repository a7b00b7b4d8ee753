import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLines } from "../../src/base/parquet/testing/read-lines.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../src/base/testing/run-in-folder.js";
import { UserError } from "../../src/base/user-error.js";
import { runConsumer } from "./run-consumer.js";

interface Written {
  readonly path: string;
  /** Files of one group have the same rows. */
  readonly group: string;
}

/** The largest unsigned integers, as they are printed. */
const UNSIGNED = '"uint8":255,"uint16":65535,"uint32":4294967295,"uint64":18446744073709551615';

let folder: TestFolder;
let files: readonly Written[] = [];
beforeAll(() => {
  folder = createTestFolder();
  files = runConsumer<Written[]>("write_parquet_layouts", { folder: folder.path });
});
afterAll(() => folder.remove());

test("every layout of pyarrow gives the same rows", async () => {
  const rows = new Map<string, string>();
  for (const { path, group } of files) {
    const text = (await readLines(readFileSync(path))).join("\n");
    expect([basename(path), text]).toEqual([basename(path), rows.get(group) ?? text]);
    rows.set(group, text);
  }
  expect(files.length).toBeGreaterThanOrEqual(16);
  const [, , third] = (rows.get("nested") ?? "").split("\n");
  expect(JSON.parse(third ?? "")).toEqual({
    rollout_id: "r-0",
    task: "Täsk 2",
    branch_index: 2,
    seed: null,
    temperature: 2 / 7,
    passed: true,
    events: [
      { event: "tool_call", data: { name: "f0", steps: [] } },
      { event: "tool_call", data: { name: "f1", steps: [1, null, 2] } },
    ],
    scores: { a: 3 },
    visits: { 7: "x", 2: "y" },
    build: { status: "s2", millis: 2 },
  });
  expect(rows.get("integers")?.split("\n")[1]).toBe(
    `{"int8":127,"int16":32767,"int32":2147483647,"int64":9223372036854775807,${UNSIGNED}}`,
  );
});

test("a damaged byte gives lines, or the error", async () => {
  let tried = 0;
  for (const { path } of files) {
    const bytes = readFileSync(path);
    let refused = 0;
    // Prime numbers, so that other bits are flipped in every file.
    for (let at = 0; at < bytes.length; at += isNightly ? 37 : 251) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      const outcome = await readLines(damaged).catch((thrown: unknown) => thrown);
      tried += 1;
      if (Array.isArray(outcome)) continue;
      expect([basename(path), at, outcome]).toEqual([basename(path), at, expect.any(UserError)]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  }
  process.stderr.write(`${tried} damaged files\n`);
  expect(tried).toBeGreaterThan(isNightly ? 2000 : 300);
});

test("a page with a checksum is refused if any of its bytes is another", async () => {
  const bytes = readFileSync(
    files.find(({ path }) => path.endsWith("checksum.parquet"))?.path ?? "",
  );
  const at = bytes.indexOf("Täsk 23");
  expect(at).toBeGreaterThan(0);
  bytes[at] = "B".charCodeAt(0);
  await expect(readLines(bytes)).rejects.toThrow(
    "cannot be read as Parquet: row group 1: a page has not the checksum that its header names",
  );
});
