import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { toReject } from "./rejects.js";

test("a line whose reject would be too long to be a string is not kept", () => {
  const controls = Buffer.alloc(Math.ceil(constants.MAX_STRING_LENGTH / 6), 1);
  expect(toReject({ file: "a", line: 1 }, [], controls)).toBeUndefined();
  const binary = Buffer.alloc(constants.MAX_STRING_LENGTH, 0xff);
  expect(toReject({ file: "a", line: 1 }, [], binary)).toBeUndefined();
});
