import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseLine } from "../../base/jsonl/reader.js";
import { createThreeVersions, type ThreeVersions } from "./testing/three-versions.js";
import { Upgrader } from "./upgrader.js";

let versions: ThreeVersions;
beforeEach(() => {
  versions = createThreeVersions();
});
afterEach(() => versions.remove());

function open(major = 3, unnamed?: number): Promise<Upgrader> {
  return Upgrader.open({ root: versions.root, target: { name: "order", major }, unnamed });
}

/** The outcome for a line: its new text, "current", or its faults. */
async function upgrade(text: string, upgrader = open()): Promise<unknown> {
  const parsed = parseLine(Buffer.from(text));
  if ("fault" in parsed) throw new Error("not a record");
  const place = { file: "orders.jsonl", line: 7, byteLength: text.length };
  const outcome = (await upgrader).upgrade({ ...place, ...parsed });
  if (outcome.kind === "upgraded") return [outcome.from, outcome.text];
  return outcome.kind === "current" ? outcome.kind : outcome.faults.map((each) => each.message);
}

const V1 = '{"order_version":"order/v1","id":"7","client":"Ada","total":"5 EUR","x":{"deep":[1]}}';
const V2 =
  '{"total":"5 EUR","order_version":"order/v2","id":"7","x":{"deep":[1]},"customer":"Ada"}';

test("one step: a renamed field, and one that became required; unknown fields survive", async () => {
  expect(await upgrade(V1, open(2))).toEqual([1, V2]);
  expect(await upgrade('{"id":"7","client":"Ada"}', open(2))).toEqual([
    1,
    '{"total":"0 EUR","id":"7","customer":"Ada","order_version":"order/v2"}',
  ]);
});

test("a chain of steps ends in a split field", async () => {
  const upgraded =
    '{"order_version":"order/v3","id":"7","x":{"deep":[1]},"customer":"Ada","amount":5,"currency":"EUR"}';
  expect(await upgrade(V1)).toEqual([1, upgraded]);
  expect(await upgrade(V2)).toEqual([2, upgraded]);
  expect(await upgrade(upgraded)).toBe("current");
});

test("a record that names no version is of the newest that accepts it, or of the given one", async () => {
  expect(await upgrade('{"note":"same in all"}')).toBe("current");
  expect(await upgrade('{"note":"same in all"}', open(3, 1))).toEqual([
    1,
    '{"note":"same in all"}',
  ]);
});

test.each([
  ['{"order_version":"order/v4"}', "is of order/v4, which was never published"],
  ['{"order_version":"other/v1"}', "is of other/v1, which is another schema than order"],
  ['{"x":1}', 'is no record of order/v1 or order/v2 or order/v3: not valid as Note: lacks "note"'],
  ['{"order_version":"order/v3","id":"7"}', 'not valid as Note: lacks "note"'],
  [
    '{"order_version":"order/v1","id":"7","client":"nobody"}',
    "order-v1-v2: an order needs a customer",
  ],
  [
    '{"order_version":"order/v1","id":"7","client":"Ada","total":"much"}',
    'upgraded to order/v3, it is not valid as Order: lacks "currency"',
  ],
  ['{"id":"7","client":"Ada","x":1,"x":2}', 'a second value under the key "x"'],
  [
    '{"id":"7","client":"Ada","x":9007199254740993}',
    "integer beyond 2^53 - 1: 9007199254740993 is read as 9007199254740992",
  ],
  [
    '{"id":"7","client":"Ada","x":1e400}',
    "beyond the range of numbers, read as Infinity: cannot be exported",
  ],
])("%s is a fault: %s", async (text, message) => {
  expect(await upgrade(text)).toContain(message);
});

test("a record that is newer than the target", async () => {
  expect(await upgrade('{"order_version":"order/v3"}', open(2))).toEqual([
    "is of order/v3, which is newer than order/v2",
  ]);
});

test("a step without an upcaster is an error that names it, only for records that need it", async () => {
  rmSync(join(versions.root, "schema/upcasters/order-v1-v2.ts"));
  await expect(upgrade(V1)).rejects.toThrow(
    "orders.jsonl:7: is of order/v1, and the step order-v1-v2 has no upcaster (schema/upcasters/order-v1-v2.ts)",
  );
  expect(await upgrade(V2)).toEqual([2, expect.stringContaining('"amount":5')]);
});

test.each([
  ["export const upcast = 1;\n", "exports no function upcast(record)"],
  ["export const upcast = ;\n", "cannot be loaded: "],
])("an upcaster that is none: %s", async (program, problem) => {
  versions.write("schema/upcasters/order-v2-v3.ts", program);
  await expect(open()).rejects.toThrow(`schema/upcasters/order-v2-v3.ts ${problem}`);
});

test.each([
  ["async () => ({})", "order-v2-v3: returns no record"],
  ["async () => { throw new Error('later') }", "order-v2-v3: returns no record"],
  ["() => [1]", "order-v2-v3: returns no record"],
  ["(r: any) => { r.self = r; return r; }", "upgraded, it cannot be printed as JSON"],
  ["() => ({ note: undefined })", 'upgraded to order/v3, it is not valid as Order: lacks "id"'],
])("an upcaster that returns something else: %s", async (program, message) => {
  versions.write("schema/upcasters/order-v2-v3.ts", `export const upcast = ${program};\n`);
  expect(await upgrade(V2)).toContain(message);
});

test("an upcaster that changes its input does not change the type that the result must have", async () => {
  const program =
    "(r: any) => { for (const key of Object.keys(r)) delete r[key]; r.note = 'x'; return r; }";
  versions.write("schema/upcasters/order-v2-v3.ts", `export const upcast = ${program};\n`);
  expect(await upgrade(V2)).toContain('upgraded to order/v3, it is not valid as Order: lacks "id"');
});

test("versions that do not exist", async () => {
  const open = (name: string, major: number, unnamed?: number) =>
    Upgrader.open({ root: versions.root, target: { name, major }, unnamed });
  await expect(open("order", 4)).rejects.toThrow(
    "order/v4: no such version: this package has order/v1, order/v2, order/v3",
  );
  await expect(open("orders", 1)).rejects.toThrow("orders: no such schema: use one of order");
  await expect(open("order", 2, 3)).rejects.toThrow("order/v3 is newer than order/v2");
});
