import { expect, test } from "vitest";
import { BufferPool } from "./buffer-pool.js";

test("a returned buffer is handed out again, once", () => {
  const memory = new BufferPool();
  const first = memory.take();
  expect(memory.take()).not.toBe(first);
  memory.giveBack([first]);
  expect(memory.take(10)).toBe(first);
  expect(memory.take(10)).not.toBe(first);
});

test("a request above the usual size is served, and its buffer is not pooled", () => {
  const memory = new BufferPool();
  const usual = memory.take().byteLength;
  const large = memory.take(usual + 1);
  expect(large.byteLength).toBe(usual + 1);
  memory.giveBack([large, new ArrayBuffer(8)]);
  expect(memory.take().byteLength).toBe(usual);
  expect(memory.take(usual + 1)).not.toBe(large);
});

test("the number of pooled buffers is limited", () => {
  const memory = new BufferPool();
  const given = Array.from({ length: 50 }, () => memory.take());
  memory.giveBack(given);
  const known = new Set(given);
  const again = Array.from({ length: 50 }, () => memory.take());
  expect(again.filter((buffer) => known.has(buffer)).length).toBeLessThan(40);
});
