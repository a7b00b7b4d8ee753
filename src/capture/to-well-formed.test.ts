import { expect, test } from "vitest";
import { toWellFormed } from "./to-well-formed.js";

test.each([
  ["\ud800", "\ufffd"],
  ["a\udc00\ud800b", "a\ufffd\ufffdb"],
  ["\u{1F600}\ud83d", "\u{1F600}\ufffd"],
  ["grüß", "grüß"],
  ["", ""],
])("%j", (text, wellFormed) => {
  expect(toWellFormed(text)).toBe(wellFormed);
});
