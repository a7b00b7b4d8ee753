import fc from "fast-check";
import { expect, test } from "vitest";
import { oddValue } from "../../base/testing/odd-value.js";
import { cloneInput } from "./invoke.js";

class Service {
  readonly open = true;
}

test("plain values are copied deeply, and a copy can be changed", () => {
  const given = Object.freeze({
    list: Object.freeze([{ a: 1 }]),
    map: new Map([[{ key: 1 }, { value: 1 }]]),
    set: new Set([{ b: 1 }]),
    date: new Date(5),
    bare: Object.assign(Object.create(null), { c: 1 }),
    sparse: Object.assign(new Array<number>(3), { 2: 3 }),
  });
  const copy = cloneInput(given);
  expect(copy).toEqual(given);
  expect(Object.getPrototypeOf(copy.bare)).toBe(null);
  expect(1 in copy.sparse).toBe(false);
  expect(copy.list[0]).not.toBe(given.list[0]);
  expect(copy.date).not.toBe(given.date);
  expect([...copy.map.keys()][0]).not.toBe([...given.map.keys()][0]);
  expect([...copy.set][0]).not.toBe([...given.set][0]);
  Reflect.set(copy, "list", "other");
  expect(copy.list).toBe("other");
});

test("shared references stay shared, and cycles stay cycles", () => {
  const shared = { a: 1 };
  const given: Record<string, unknown> = { one: shared, other: shared, dates: [] };
  given.self = given;
  const copy = cloneInput(given);
  expect(copy.one).toBe(copy.other);
  expect(copy.self).toBe(copy);
});

test("functions, instances and unreadable objects are passed as they are", () => {
  const unreadable = Object.defineProperty({}, "a", {
    enumerable: true,
    get() {
      throw new Error("nobody may read this");
    },
  });
  const given = { call: () => 1, service: new Service(), error: new Error(), unreadable };
  const copy = cloneInput(given);
  for (const key of ["call", "service", "error", "unreadable"] as const) {
    expect(copy[key]).toBe(given[key]);
  }
});

test("__proto__ is an ordinary key", () => {
  const copy = cloneInput(JSON.parse('{"__proto__": {"polluted": true}}'));
  expect(Object.hasOwn(copy, "__proto__")).toBe(true);
  expect(copy.polluted).toBe(undefined);
});

test("never throws, whatever the value", () => {
  fc.assert(
    fc.property(oddValue, (value) => {
      cloneInput(value);
    }),
  );
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  expect(typeof cloneInput(deep)).toBe("object");
});
