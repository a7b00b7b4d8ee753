import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { catchStringLimit } from "./printer.js";

/** JSON writes each of these characters as six. */
const long = "\u0001".repeat(Math.ceil(constants.MAX_STRING_LENGTH / 6));

test("both printing functions throw for a text that exceeds the string limit", () => {
  expect(catchStringLimit(() => JSON.stringify(long))).toBeUndefined();
  expect(catchStringLimit(() => long.repeat(7))).toBeUndefined();
  const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH);
  expect(catchStringLimit(() => bytes.toString("base64"))).toBeUndefined();
});
