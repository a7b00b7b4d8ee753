import { expect, test } from "vitest";
import { numberOf, readThrift, structOf, ThriftEndError } from "./thrift.js";

function read(...bytes: number[]) {
  return readThrift(Uint8Array.from(bytes), 0);
}

test("numbers, structs and truth values are kept; texts and lists are skipped", () => {
  const text = [0x18, 2, 0x61, 0x62];
  const list = [0x19, 0x25, 2, 4];
  const inner = [0x1c, 0x15, 0x03, 0x00];
  const { struct, end } = read(0x15, 0x80, 0x01, ...text, ...list, ...inner, 0x11, 0x12, 0x00, 7);
  expect(numberOf(struct, 1)).toBe(64);
  expect([struct.get(2), struct.get(3)]).toEqual([undefined, undefined]);
  expect(numberOf(structOf(struct, 4) ?? new Map(), 1)).toBe(-2);
  expect([struct.get(5), struct.get(6), numberOf(struct, 4)]).toEqual([true, false, undefined]);
  expect(end).toBe(18);
});

test("a field may be far from the one before", () => {
  expect(numberOf(read(0x05, 0xc8, 0x01, 0x02, 0x00).struct, 100)).toBe(1);
});

test("a struct that is cut off is told from one that is wrong", () => {
  const whole = [0x15, 0x80, 0x01, 0x18, 2, 0x61, 0x62, 0x19, 0x25, 2, 4, 0x00];
  for (let length = 0; length < whole.length; length += 1) {
    expect(() => read(...whole.slice(0, length))).toThrow(ThriftEndError);
  }
  expect(() => read(0x1b, 0x00)).toThrow("the unknown type 11");
});

test("sizes and depths that no header has are refused before they take time or memory", () => {
  expect(() => read(0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07)).toThrow(ThriftEndError);
  expect(() => read(0x18, 0xff, 0xff, 0xff, 0xff, 0x07)).toThrow(ThriftEndError);
  const many = new Uint8Array(2 ** 20);
  expect(() => readThrift(many.fill(0x1c), 0)).toThrow("nested too deeply");
  expect(() => readThrift(many.fill(0x19), 0)).toThrow("nested too deeply");
  expect(() => readThrift(many.fill(0xff).fill(0x16, 0, 1), 0)).toThrow("more than 64 bits");
});
