import { expect, test } from "vitest";
import { createWindowTable, NOWHERE } from "./create-window-table.js";

const corpus = Int32Array.of(1, 2, 3, 1, 2, 4);

test("finds a window where it was first added", () => {
  const table = createWindowTable(corpus, 2, 5);
  expect(table.add(11, 0)).toBe(0);
  expect(table.add(12, 1)).toBe(1);
  expect(table.add(11, 3)).toBe(0);
  expect(table.find(11, Int32Array.of(9, 1, 2), 1)).toBe(0);
  expect(table.find(12, Int32Array.of(2, 4), 0)).toBe(NOWHERE);
  expect(table.find(99, Int32Array.of(2, 4), 0)).toBe(NOWHERE);
});

test("compares tokens: windows of one hash stay apart", () => {
  const table = createWindowTable(corpus, 2, 5);
  const positions = [0, 1, 2, 3, 4].map((position) => table.add(7, position));
  expect(positions).toEqual([0, 1, 2, 0, 4]);
  expect(table.find(7, Int32Array.of(2, 4), 0)).toBe(4);
  expect(table.find(7, Int32Array.of(4, 2), 0)).toBe(NOWHERE);
});

test("ends its search when it is as full as it was made for", () => {
  for (const capacity of [1, 2, 3, 4, 5]) {
    const distinct = Int32Array.from({ length: capacity }, (_, index) => index);
    const table = createWindowTable(distinct, 1, capacity);
    for (let at = 0; at < capacity; at += 1) expect(table.add(-1, at)).toBe(at);
    expect(table.find(-1, Int32Array.of(capacity), 0)).toBe(NOWHERE);
  }
});
