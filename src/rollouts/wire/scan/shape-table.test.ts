import { expect, test } from "vitest";
import type { Shape } from "#generated/shapes.js";
import { writeShapeTable } from "./shape-table.js";

const pairing = {
  list: "list",
  kind: "kind",
  call: "ask",
  answer: "tell",
  name: "inner/name",
  id: "inner/id",
};

const ANY_TYPE = 127n;
/** Bits of the lowest and the highest bound. */
const BOUNDS = { 6: 0xfff0_0000_0000_0000n, 7: 0x7ff0_0000_0000_0000n };

/** The nonzero words from the start of the table, by their index. */
function write(shape: Shape, end = 4096): Record<number, bigint> {
  const buffer = new ArrayBuffer(4096);
  writeShapeTable({ buffer, start: 8, end, hash: (from) => BigInt(from) }, shape, pairing);
  const words = [...new BigUint64Array(buffer, 8).entries()];
  return Object.fromEntries(words.filter(([, word]) => word !== 0n));
}

test("a node consists of its types, bounds and entries; {} has no node", () => {
  expect(write({ type: ["string", "null"] })).toEqual({ 0: 1n + 8n, ...BOUNDS });
  expect(write({ type: ["integer"], minimum: 1, maximum: 2 })).toEqual({
    0: 64n,
    6: 0x3ff0_0000_0000_0000n,
    7: 0x4000_0000_0000_0000n,
  });
  expect(write({ minLength: 1 })).toMatchObject({ 8: 1n });
  expect(write({ minItems: 1 })).toMatchObject({ 8: 1n });
  expect(write({ properties: { a: {}, b: {} }, required: ["b"] })).toEqual({
    0: ANY_TYPE,
    4: 2n,
    5: 0b10n,
    ...BOUNDS,
    // Hash, address and length of each text, and no node.
    ...{ 9: 144n, 10: 144n, 11: 1n, 17: BigInt("a".charCodeAt(0)) },
    ...{ 13: 152n, 14: 152n, 15: 1n, 18: BigInt("b".charCodeAt(0)) },
  });
});

test("an array has the node of its items", () => {
  expect(write({ type: ["array"], items: { type: ["null"] } })).toEqual({
    ...{ 0: 32n, 2: 80n, ...BOUNDS },
    ...{ 9: 8n, 15: BOUNDS[6], 16: BOUNDS[7] },
  });
});

test("a constant states the kind of its element, in the list only", () => {
  const kinds: Shape = { enum: ["tell", "ask", "other"] };
  const element: Shape = { properties: { kind: kinds } };
  /** The role of the property, and the uses of its constants. */
  const told = (shape: Shape): unknown[] => {
    const words = write(shape);
    // Its node is the one with three constants.
    const at = Object.entries(words).findIndex(([index, word]) => word === 3n && Number(index) > 3);
    const node = Number(Object.keys(words)[at]) - 3;
    return [1, 12, 16, 20].map((offset) => words[node + offset] ?? 0n);
  };
  expect(told({ properties: { list: { items: element } } })).toEqual([1n, 2n, 1n, 0n]);
  expect(told({ properties: { other: { items: element } } })).toEqual([0n, 2n, 1n, 0n]);
  expect(told({ properties: { kind: kinds } })).toEqual([0n, 2n, 1n, 0n]);
});

test("a shape that is too large for the table, or requires a key that it does not describe", () => {
  const shape: Shape = { enum: ["a", "b"] };
  expect(() => write(shape, 8 + 9 * 8 + 2 * 32 + 16)).not.toThrow();
  expect(() => write(shape, 8 + 9 * 8 + 2 * 32 + 15)).toThrow(RangeError);
  const properties = (count: number): Shape["properties"] =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, {}]));
  expect(() => write({ properties: properties(64) })).not.toThrow();
  expect(() => write({ properties: properties(65) })).toThrow(RangeError);
  expect(() => write({ required: ["a"] })).toThrow(RangeError);
});
