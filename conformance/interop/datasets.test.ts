import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { features as wireFeatures } from "#generated/features.js";
import { toJsonl } from "../../src/base/json/print.js";
import { findUnexportable, MAX_NESTING } from "../../src/base/json/unexportable.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import type { Features } from "../../src/rollouts/wire/export/features.js";
import { type CardField, listOf, toDatasetInfo } from "../../src/rollouts/wire/export/features.js";
import { isTargetId, targets } from "../../src/rollouts/wire/export/targets/index.js";
import { createBranch } from "../../src/rollouts/wire/export/testing/create-branch.js";
import { createEvent } from "../../src/rollouts/wire/export/testing/create-event.js";
import { runConsumer } from "./run-consumer.js";
import { createRollouts } from "./testing/create-rollouts.js";
import { findDifference } from "./testing/find-difference.js";
import { type WrittenFile, writeTarget } from "./testing/write-target.js";

interface Reading {
  readonly rows: readonly object[];
  readonly card: readonly CardField[];
}

let folder = "";
let files: WrittenFile[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-datasets-"));
  const branches = createRollouts();
  files = Object.keys(targets)
    .filter(isTargetId)
    .flatMap((target) => writeTarget(target, branches, folder));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads records with `datasets`, in the given columns, or else in inferred ones. */
function read(records: readonly object[], features: Features | null): readonly object[] {
  const path = join(folder, "some.jsonl");
  writeFileSync(path, toJsonl(records));
  const [reading] = runConsumer<Reading[]>("read_files", [{ path, features }]);
  return reading?.rows ?? [];
}

test("every file of every target is read with its features, and round-trips", () => {
  const requests = files.map(({ path, features }) => ({ path, features }));
  const readings = runConsumer<Reading[]>("read_files", requests);
  const records = files.flatMap((file) => file.records);
  process.stderr.write(`datasets: ${files.length} files, ${records.length} records\n`);
  expect(files.length).toBeGreaterThanOrEqual(Object.keys(targets).length);
  expect(files.filter((file) => file.records.length < 10)).toEqual([]);
  const differences = files.flatMap(({ target, kind, records }, index) => {
    const pointer = findDifference(records, readings[index]?.rows);
    return pointer === undefined ? [] : [`${target} ${kind} ${pointer}`];
  });
  expect(readings).toHaveLength(files.length);
  expect(differences).toEqual([]);
  // The card has the library's own spelling.
  expect(readings.map(({ card }) => card)).toEqual(
    files.map(({ features }) => toDatasetInfo(features)),
  );
});

test("the deepest exported nesting is read", () => {
  const args: unknown = JSON.parse(
    `${'{"a":'.repeat(MAX_NESTING - 3)}0${"}".repeat(MAX_NESTING - 3)}`,
  );
  const branch = createBranch({
    tool_call_sequence: [createEvent({ tool_name: "f", args, result: "" })],
  });
  expect(findUnexportable(branch)).toBeUndefined();
  const other = createBranch({
    ...branch,
    branch_index: 1,
    rank: 2,
    total_score: 0,
    final_answer: "",
  });
  const deep = Object.keys(targets)
    .filter(isTargetId)
    .flatMap((target) => writeTarget(target, [branch, other], join(folder, "deep")));
  const readings = runConsumer<Reading[]>(
    "read_files",
    deep.map(({ path, features }) => ({ path, features })),
  );
  expect(readings.length).toBeGreaterThanOrEqual(Object.keys(targets).length);
  for (const [index, { records }] of deep.entries()) {
    expect(records.length).toBeGreaterThan(0);
    expect(findDifference(records, readings[index]?.rows)).toBeUndefined();
  }
});

/** Why messages are Json and not structs: a struct has all of its fields in every message. */
test.runIf(isNightly)("messages in a struct come back with additional fields", () => {
  const record = { messages: [{ role: "user", content: "hi" }] };
  const text = { _type: "Value", dtype: "string" } as const;
  const struct = { messages: listOf({ role: text, content: text, tool_call_id: text }) };
  expect(read([record], struct)).toEqual([
    { messages: [{ role: "user", content: "hi", tool_call_id: null }] },
  ]);
  expect(read([record], { messages: listOf(wireFeatures.Message) })).toEqual([record]);
});

/** Why arguments are not Json alone: text that is JSON would be returned as its value. */
test("JSON text in a Json column comes back as its value", () => {
  const features = { arguments: { _type: "Json" } } as const;
  expect(read([{ arguments: '{"a": 1}' }], features)).toEqual([{ arguments: { a: 1 } }]);
});

/** docs/targets.md documents this; change it there if this fails. */
test.runIf(isNightly)("numbers of a record with a Json column are rounded to ten decimals", () => {
  const record = { reward: 1.15 / 1.3, messages: [{ role: "user", content: "" }] };
  const messages = listOf(wireFeatures.Message);
  const reward = wireFeatures.PpoTrainingRecord.reward;
  expect(read([record], { messages, reward })).toEqual([{ ...record, reward: 0.8846153846 }]);
  expect(read([{ reward: 1.15 / 1.3 }], { reward })).toEqual([{ reward: 1.15 / 1.3 }]);
});

/** An integer of 2^64 would not be read at all; `toJsonl` writes it with an exponent. */
test.runIf(isNightly)(
  "numbers from 2^53 in a Json column are read, rounded to ten decimals",
  () => {
    const features = { value: { _type: "Json" } } as const;
    const large = [2 ** 53, 2 ** 63, 2 ** 64, 1e20];
    const [row = {}] = read([{ value: large }], features);
    const numbers = "value" in row && Array.isArray(row.value) ? row.value.map(Number) : [];
    expect(numbers).toHaveLength(large.length);
    const ratios = large.map((number, index) => (numbers[index] ?? 0) / number);
    for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 9);
  },
);

test("a difference is found", () => {
  expect(findDifference({ a: [1, "x"] }, { a: [1, "y"] })).toBe("/a/1");
  expect(findDifference({ a: {} }, { a: { b: null } })).toBe("/a");
  expect(findDifference([0.5], [0.5 + 1e-9])).toBe("/0");
});
