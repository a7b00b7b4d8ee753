import { expect, test } from "vitest";
import { RunReader } from "./runs.js";

function read(bytes: readonly number[], width: number, max: number, count: number): number[] {
  const runs = new RunReader(Uint8Array.from(bytes), width, max);
  return Array.from({ length: count }, () => runs.next());
}

test("repeated and packed numbers follow one another", () => {
  // Three fives, then eight numbers of three bits: the example of Parquet's specification.
  const bytes = [0x06, 5, 0x03, 0b10001000, 0b11000110, 0b11111010];
  expect(read(bytes, 3, 7, 11)).toEqual([5, 5, 5, 0, 1, 2, 3, 4, 5, 6, 7]);
  const runs = new RunReader(Uint8Array.from(bytes), 3, 7);
  expect(runs.countOf(5, 11)).toBe(4);
});

test("numbers may cross bytes, and be as wide as 32 bits", () => {
  expect(read([0x03, ...[0xff, 0x0f, 0x80], ...new Array(9).fill(0)], 12, 4095, 2)).toEqual([
    4095, 2048,
  ]);
  expect(read([0x02, 0xff, 0xff, 0xff, 0xff], 32, 2 ** 32, 1)).toEqual([2 ** 32 - 1]);
});

test("runs of nothing are skipped", () => {
  expect(read([0x00, 9, 0x01, 0x02, 1], 1, 1, 1)).toEqual([1]);
});

test("the last packed numbers may lack the bytes of those that nobody asks for", () => {
  expect(read([0x03, 0xff], 2, 3, 4)).toEqual([3, 3, 3, 3]);
  expect(() => read([0x03, 0xff], 2, 3, 5)).toThrow("ends within its values");
});

test("what no writer writes is refused", () => {
  expect(() => read([], 1, 1, 1)).toThrow("ends within its values");
  expect(() => read([0x02, 4], 3, 3, 1)).toThrow("the number 4, above 3");
  expect(() => read([0x03, 0xff], 1, 0, 1)).toThrow("the number 1, above 0");
  expect(() => read([0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 1, 1, 1)).toThrow("a run of more than");
  expect(() => read([], 33, 1, 1)).toThrow("numbers of 33 bits");
});
