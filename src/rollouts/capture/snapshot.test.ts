import vm from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findUnwritable } from "../../base/json/print.js";
import { isJsonObject } from "../../base/json/value.js";
import { findFaults } from "../../base/testing/find-faults.js";
import { createRevokedProxy, oddValue } from "../../base/testing/odd-value.js";
import { createCaptured } from "../wire/scoring/testing/create-captured.js";
import { SNAPSHOT_MARKS, toSnapshot } from "./snapshot.js";

describe("toSnapshot", () => {
  const { circular, deep, unreadable, cut } = SNAPSHOT_MARKS;

  /** Values that become text in a snapshot. */
  const LARGE_INTEGER = /(?<![.\d])\d{16,}(?![.\de])/;

  test("JSON is copied unchanged", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        fc.pre(!LARGE_INTEGER.test(text));
        const parsed: unknown = JSON.parse(text);
        const copy = toSnapshot(parsed);
        expect(copy).toEqual(parsed);
        if (typeof parsed === "object" && parsed !== null) expect(copy).not.toBe(parsed);
      }),
    );
  });

  test("any value becomes JSON that every reader accepts", () => {
    fc.assert(
      fc.property(oddValue, (make) => {
        const args = toSnapshot(make());
        expect(findUnwritable(args)).toBeUndefined();
        const event = {
          event: "tool_call",
          channel: "tool",
          data: { toolName: "t", args, callId: "c" },
        };
        const record = { ...createCaptured(), tool_call_sequence: [event] };
        expect(findFaults(record)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("later mutation does not change it", () => {
    const list = [1];
    const given = { list, map: new Map([["a", list]]), bytes: Buffer.from("old") };
    const copy = toSnapshot(given);
    list.push(2);
    given.map.clear();
    given.bytes.fill("!");
    expect(copy).toEqual({ list: [1], map: { a: [1] }, bytes: "old" });
  });

  test.each<[string, unknown, unknown]>([
    ["undefined", undefined, null],
    ["a function", () => 1, null],
    ["a symbol", Symbol("a"), null],
    ["absent members", { a: undefined, b: () => 1, c: Symbol("c"), d: 1 }, { d: 1 }],
    ["absent elements", [undefined, () => 1], [null, null]],
    ["values that are not numbers", [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ["a negative zero", -0, 0],
    [
      "large integers",
      [2 ** 53, -1e20, 1e21],
      ["9007199254740992", "-100000000000000000000", 1e21],
    ],
    ["safe integers", [Number.MAX_SAFE_INTEGER], [Number.MAX_SAFE_INTEGER]],
    ["bigints", [5n, 2n ** 64n], ["5", "18446744073709551616"]],
    [
      "lone surrogates",
      { "\ud800": "a\udc00b", pair: "\u{1F600}" },
      { "\ufffd": "a\ufffdb", pair: "\u{1F600}" },
    ],
    ["keys that become equal", { "\ud800": 1, "\ud801": 2 }, { "\ufffd": 1, "\ufffd\ufffd": 2 }],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date(Number.NaN), null],
    ["a URL", new URL("http://a/b"), "http://a/b"],
    ["a Map with string keys", new Map([["a", 1]]), { a: 1 }],
    [
      "a Map with other keys",
      new Map<unknown, number>([
        [1, 2],
        ["a", 3],
      ]),
      [
        [1, 2],
        ["a", 3],
      ],
    ],
    ["a Set", new Set([1, "a"]), [1, "a"]],
    ["text as bytes", new TextEncoder().encode("grüß"), "grüß"],
    ["other bytes", Buffer.from([0xff]), "data:application/octet-stream;base64,/w=="],
    ["a buffer", new Uint8Array([97]).buffer, "a"],
    ["numbers", new Float32Array([0.5, Number.NaN]), [0.5, null]],
    ["64 bits", new BigInt64Array([1n]), ["1"]],
    ["a view", new DataView(new Uint8Array([97, 98]).buffer, 1), "b"],
    ["boxes", [new Number(1), new String("a"), new Boolean(false)], [1, "a", false]],
    ["a regular expression", /a+/g, "/a+/g"],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [
      "another realm's",
      vm.runInNewContext("({ a: [1], e: new RangeError('far') })"),
      { a: [1], e: { name: "RangeError", message: "far" } },
    ],
    ["a promise", Promise.resolve(1), {}],
  ])("%s", (_, given, copy) => {
    expect(toSnapshot(given)).toStrictEqual(copy);
  });

  test("errors keep only the fields that describe them", () => {
    const cause = Object.assign(new TypeError("inner"), { code: "EPIPE" });
    const error = Object.assign(new Error("outer", { cause }), {
      config: { headers: { authorization: "Bearer secret" } },
      toJSON: () => ({ authorization: "Bearer secret" }),
    });
    expect(toSnapshot({ error })).toEqual({
      error: {
        name: "Error",
        message: "outer",
        cause: { name: "TypeError", message: "inner", code: "EPIPE" },
      },
    });
    expect(toSnapshot(new AggregateError([new Error("one")], "all"))).toEqual({
      name: "AggregateError",
      message: "all",
      errors: [{ name: "Error", message: "one" }],
    });
    const shy = Object.defineProperty(new Error("a"), "message", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(toSnapshot(shy)).toEqual({ name: "Error", message: unreadable });
  });

  test("__proto__ is an ordinary field", () => {
    const given: unknown = JSON.parse('{"__proto__": {"a": 1}}');
    const copy = toSnapshot(given);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(toSnapshot(new Map(Object.entries(JSON.parse('{"__proto__":1}')))))).toBe(
      '{"__proto__":1}',
    );
  });

  describe("values that cannot be copied", () => {
    test("cycles, but not repeated references", () => {
      const twice = { a: 1 };
      const cycle: Record<string, unknown> = { x: twice, y: twice };
      cycle.self = [cycle];
      expect(toSnapshot(cycle)).toEqual({ x: { a: 1 }, y: { a: 1 }, self: [circular] });
    });

    test("depth", () => {
      let nested: unknown = "core";
      for (let level = 0; level < 100_000; level += 1) nested = [nested];
      let copy: unknown = toSnapshot(nested);
      let levels = 0;
      for (; Array.isArray(copy); levels += 1) copy = copy[0];
      expect([levels, copy]).toEqual([500, deep]);
    });

    test("getters, toJSON and proxies that throw", () => {
      const thrower = (): never => {
        throw undefined;
      };
      const given = {
        get a() {
          return thrower();
        },
        b: { toJSON: thrower },
        c: createRevokedProxy(),
        d: new Proxy({}, { ownKeys: thrower }),
        e: 1,
      };
      const marks = { a: unreadable, b: unreadable, c: unreadable, d: unreadable };
      expect(toSnapshot(given)).toEqual({ ...marks, e: 1 });
    });

    test("a getter that expands without end", () => {
      const endless = { get: () => new Proxy({}, endless), ownKeys: () => ["a", "b"] };
      const budget = { values: 1_000, characters: 1_000 };
      const proxy = new Proxy(
        {},
        {
          ...endless,
          getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
        },
      );
      expect(JSON.stringify(toSnapshot(proxy, budget)).length).toBeLessThan(20_000);
      expect(toSnapshot(new Array(2 ** 32 - 1), { values: 3, characters: 9 })).toEqual([
        null,
        null,
      ]);
    });

    test("exponential growth by reference", () => {
      let doubled: unknown = "x";
      for (let level = 0; level < 60; level += 1) doubled = [doubled, doubled];
      expect(JSON.stringify(toSnapshot(doubled, { values: 10_000, characters: 1e6 }))).toContain(
        cut,
      );
    });

    test("more text than fits into one line", () => {
      const budget = { values: 100, characters: 5 };
      expect(toSnapshot(["abc", "de\u{1F600}", "f"], budget)).toEqual(["abc", `de${cut}`]);
      expect(toSnapshot({ a: "bc", d: "efg", h: 1 }, { values: 9, characters: 5 })).toEqual({
        a: "bc",
        d: `e${cut}`,
        [cut]: cut,
      });
    });
  });

  test("a copy without marks has none", () => {
    const copy = toSnapshot({ a: { b: 1 } });
    expect(isJsonObject(copy) && copy.a).toEqual({ b: 1 });
  });

  test.each([
    ["\ud800", "\ufffd"],
    ["a\udc00\ud800b", "a\ufffd\ufffdb"],
    ["\u{1F600}\ud83d", "\u{1F600}\ufffd"],
    ["grüß", "grüß"],
    ["", ""],
  ])("each lone surrogate becomes U+FFFD: %j", (text, wellFormed) => {
    expect(toSnapshot(text)).toBe(wellFormed);
  });
});
