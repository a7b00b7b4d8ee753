import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "../../base/files/hash.js";
import { FileStaging } from "../../base/files/staging.js";
import { type OutputPlan, RecordOutput } from "./record-output.js";

let folder = "";
let staging: FileStaging;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-output-"));
  staging = new FileStaging();
});
afterEach(async () => {
  await staging.close();
  rmSync(folder, { recursive: true });
});

/** Lines of ten bytes each. */
function linesOf(count: number, letter = "a"): Buffer {
  return Buffer.from(
    Array.from(
      { length: count },
      (_, index) => `${letter}${String(index).padStart(8, "0")}\n`,
    ).join(""),
  );
}

function planOf(options: Partial<OutputPlan> = {}): OutputPlan {
  return { path: join(folder, "0-of-1"), ...options };
}

function splitBy(bytes: number): Pick<OutputPlan, "split"> {
  return { split: { bytes, toPath: (index, count) => join(folder, `${index}-of-${count}`) } };
}

function open(plan: OutputPlan): Promise<RecordOutput> {
  return RecordOutput.open(plan, staging, true);
}

/** Sizes of the committed files by name. */
function sizes(): Record<string, number> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .map((name) => [name, readFileSync(join(folder, name)).length]),
  );
}

test("records are split at the limit, in writes of any size, and the files are named at the end", async () => {
  const output = await open(planOf(splitBy(35)));
  const all = linesOf(8);
  await output.write(all.subarray(0, 10), 1);
  await output.write(all.subarray(10, 60), 5);
  await output.write(all.subarray(60), 2);
  await output.finish();
  expect(output.records).toBe(8);
  expect(output.parts.map(({ records, bytes }) => [records, bytes])).toEqual([
    [3, 30],
    [3, 30],
    [2, 20],
  ]);
  await staging.commit();
  expect(sizes()).toEqual({ "0-of-3": 30, "1-of-3": 30, "2-of-3": 20 });
  const texts = output.parts.map(({ path }) => readFileSync(path));
  expect(Buffer.concat(texts).equals(all)).toBe(true);
  expect(output.parts.map(({ sha256 }) => sha256)).toEqual(
    texts.map((text) => sha256(text.toString())),
  );
});

test("a record above the limit has a file of its own", async () => {
  const output = await open(planOf(splitBy(15)));
  const long = Buffer.from(`${"x".repeat(50)}\n`);
  await output.write(Buffer.concat([linesOf(1), long, linesOf(1)]), 3);
  await output.finish();
  await staging.commit();
  expect(sizes()).toEqual({ "0-of-3": 10, "1-of-3": 51, "2-of-3": 10 });
});

test("what fits exactly is one file, which keeps its name", async () => {
  const output = await open(planOf(splitBy(40)));
  await output.write(linesOf(4), 4);
  await output.finish();
  await staging.commit();
  expect(sizes()).toEqual({ "0-of-1": 40 });
});

test.each([1, 3, 12])("after a restart, %d records are all there is", async (count) => {
  const output = await open(planOf(splitBy(20)));
  await output.write(linesOf(7, "z"), 7);
  await output.clear();
  expect(output.records).toBe(0);
  await output.write(linesOf(count), count);
  await output.finish();
  await staging.commit();
  expect(output.records).toBe(count);
  const read = Buffer.concat(output.parts.map(({ path }) => readFileSync(path)));
  expect(read.equals(linesOf(count))).toBe(true);
  expect(Object.keys(sizes())).toHaveLength(output.parts.length);
});

test("gzip: each file by itself, with the same bytes however it is written, and without a time", async () => {
  const encoding = { id: "gzip" } as const;
  const all = linesOf(100);
  const [once, again] = [
    await open(planOf({ encoding })),
    await open({ path: join(folder, "b"), encoding }),
  ];
  await once.write(all, 100);
  for (let at = 0; at < all.length; at += 10) await again.write(all.subarray(at, at + 10), 1);
  for (const output of [once, again]) await output.finish();
  await staging.commit();
  const bytes = readFileSync(join(folder, "0-of-1"));
  expect(gunzipSync(bytes).equals(all)).toBe(true);
  expect(readFileSync(join(folder, "b")).equals(bytes)).toBe(true);
  // RFC 1952, section 2.3: the time.
  expect(bytes.readUInt32LE(4)).toBe(0);
  expect(once.parts[0]?.bytes).toBe(bytes.length);
});

test("a restart amid compressed records leaves nothing of them", async () => {
  const output = await open(planOf({ encoding: { id: "gzip" } }));
  await output.write(linesOf(100, "z"), 100);
  await output.clear();
  await output.write(linesOf(2), 2);
  await output.finish();
  await staging.commit();
  expect(gunzipSync(readFileSync(join(folder, "0-of-1"))).equals(linesOf(2))).toBe(true);
});

test("nothing is in place before the commit", async () => {
  const output = await open(planOf(splitBy(10)));
  await output.write(linesOf(3), 3);
  await output.finish();
  await staging.close();
  expect(readdirSync(folder)).toEqual([]);
  expect(existsSync(join(folder, "0-of-3"))).toBe(false);
});

test("content is counted and hashed, and can be cleared", async () => {
  const output = await open(planOf());
  const describe = () =>
    output.parts.map(({ records, bytes, sha256: hash }) => [records, bytes, hash]);
  await output.write(Buffer.from("one\ntwo\n"), 2);
  await output.write(new Uint8Array(), 0);
  expect(describe()).toEqual([[2, 8, sha256("one\ntwo\n")]]);
  expect(describe()).toEqual([[2, 8, sha256("one\ntwo\n")]]);
  await output.clear();
  expect(describe()).toEqual([[0, 0, sha256("")]]);
  await output.write(Buffer.from("x\n"), 1);
  expect(describe()).toEqual([[1, 2, sha256("x\n")]]);
});
