import { expect, test } from "vitest";
import type { Shape } from "#generated/shapes.js";
import { writeShapeTable } from "./shape-table.js";

const pairing = { kind: "kind", call: "ask", answer: "tell", name: "inner/name", id: "inner/id" };

/** The nonzero words, by their index. */
function write(shape: Shape, end: number): Record<number, bigint> {
  const buffer = new ArrayBuffer(4096);
  writeShapeTable({ buffer, start: 8, end, hash: (from) => BigInt(from) }, shape, pairing);
  const words = [...new BigUint64Array(buffer).entries()];
  return Object.fromEntries(words.filter(([, word]) => word !== 0n));
}

test("a node consists of its types, role, items and entries; {} has no node", () => {
  expect(write({ type: ["array"], items: { type: ["string", "null"] } }, 4096)).toEqual({
    1: 32n,
    3: 48n,
    6: 1n + 8n,
  });
  expect(write({ properties: { a: {} } }, 4096)).toEqual({
    1: 63n,
    5: 1n,
    // Hash, address and length of its text, and no node.
    6: 80n,
    7: 80n,
    8: 1n,
    10: BigInt("a".charCodeAt(0)),
  });
});

test("a constant states the kind of its element", () => {
  const shape: Shape = { items: { properties: { kind: { enum: ["tell", "ask", "other"] } } } };
  const { 1: types, ...words } = write(shape, 4096);
  expect(types).toBe(63n);
  // The node of the kind follows those of the list and of its element, and their one entry.
  expect(words).toMatchObject({ 15: 63n, 16: 1n, 18: 3n, 23: 2n, 27: 1n });
  expect(words).not.toHaveProperty("31");
});

test("a shape that is too large for the table", () => {
  const shape: Shape = { enum: ["a", "b"] };
  expect(() => write(shape, 8 + 5 * 8 + 2 * 32 + 16)).not.toThrow();
  expect(() => write(shape, 8 + 5 * 8 + 2 * 32 + 15)).toThrow(RangeError);
});
