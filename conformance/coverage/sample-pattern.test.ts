import { expect, test } from "vitest";
import { samplePattern } from "./sample-pattern.js";

test.each([
  "^sha256:[0-9a-f]{64}$",
  "^[0-9a-f]{16}$",
  "^(/|$)",
  "^v(?:0|[1-9][0-9]*)\\.\\d+(-[a-z]{2,})?$",
  "^[^a0-]+$",
  "^(?<year>[0-9]{4})-W[0-9]{2}$",
  "^.{3}\\s\\S\\w$",
])("%s is matched by its sample", (source) => {
  expect(samplePattern(source) ?? "no sample").toMatch(new RegExp(source, "u"));
});

test.each(["(?=a)b", "\\p{L}+", "(a", "a{2", "(a{9999}){9999}"])(
  "%s is not understood",
  (source) => {
    expect(samplePattern(source)).toBeUndefined();
  },
);
