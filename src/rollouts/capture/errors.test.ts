import fc from "fast-check";
import { expect, test } from "vitest";
import { oddValue } from "../../base/testing/odd-value.js";
import { describeThrown } from "./errors.js";

test.each<[unknown, object]>([
  [new TypeError("no"), { name: "TypeError", message: "no" }],
  [
    Object.assign(new Error("reset"), { code: "ECONNRESET" }),
    { name: "Error", message: "reset", code: "ECONNRESET" },
  ],
  [new RangeError(), { name: "RangeError", message: "RangeError" }],
  [new DOMException("late", "TimeoutError"), { name: "TimeoutError", message: "late", code: 23 }],
  ["text", { message: "text" }],
  ["", { message: '""' }],
  [undefined, { message: "undefined" }],
  [null, { message: "null" }],
  [7, { message: "7" }],
  [{ status: 500 }, { message: '{"status":500}' }],
  [{ message: "plain" }, { message: "plain" }],
  [["a"], { message: '["a"]' }],
])("%j", (thrown, described) => {
  expect(describeThrown(thrown)).toEqual(described);
});

test("a long message is cut", () => {
  expect(describeThrown(new Error("x".repeat(1e6))).message).toMatch(/^x{60000,70000}\[cut\]$/);
});

test("describeThrown never throws", () => {
  fc.assert(
    fc.property(oddValue, (make) => {
      expect(describeThrown(make()).message).toMatch(/./s);
    }),
  );
});
