import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { hasColour } from "./paint.js";

const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

test.each<[boolean, Record<string, string>, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [false, { FORCE_COLOR: "" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { FORCE_COLOR: "false" }, false],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
])("a terminal: %s, environment: %j", (isTTY, env, expected) => {
  expect(hasColour(stream(isTTY), env)).toBe(expected);
});
