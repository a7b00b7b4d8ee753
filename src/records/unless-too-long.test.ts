import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { unlessTooLong } from "./unless-too-long.js";

/** JSON writes each of these characters as six. */
const long = "\u0001".repeat(Math.ceil(constants.MAX_STRING_LENGTH / 6));

test("a text that can be made", () => {
  expect(unlessTooLong(() => "text")).toBe("text");
});

test("one that cannot, whoever says so", () => {
  expect(unlessTooLong(() => JSON.stringify(long))).toBeUndefined();
  expect(unlessTooLong(() => long.repeat(7))).toBeUndefined();
  const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH);
  expect(unlessTooLong(() => bytes.toString("base64"))).toBeUndefined();
});

test.each([new RangeError("Maximum call stack size exceeded"), new TypeError("a bug")])(
  "%s is thrown",
  (error) => {
    const make = () => {
      throw error;
    };
    expect(() => unlessTooLong(make)).toThrow(error);
  },
);
