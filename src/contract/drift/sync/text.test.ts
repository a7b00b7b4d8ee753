import { expect, test } from "vitest";
import { describeTextDiff } from "./text.js";

const lines = (count: number, text: (line: number) => string): string =>
  Array.from({ length: count }, (_, line) => `${text(line)}\n`).join("");

test("changes with two lines of context", () => {
  const before = lines(9, String);
  expect(describeTextDiff(before, before.replace("4\n", "four\n"))).toEqual([
    "@@ -3,5 +3,5 @@",
    " 2",
    " 3",
    "-4",
    "+four",
    " 5",
    " 6",
  ]);
});

test("control characters are escaped", () => {
  expect(describeTextDiff("", "\u001b[2Jx\n")).toEqual(["@@ -0,0 +1,1 @@", "+\\u001b[2Jx"]);
});

test("the number of lines is limited, and the rest is counted", () => {
  const shown = describeTextDiff("", lines(100, String));
  expect(shown).toHaveLength(41);
  expect(shown.at(-1)).toBe("... and 61 more lines of the diff");
});

test("the length of a line is limited", () => {
  const [, line] = describeTextDiff("", `${"x".repeat(10_000)}\n`);
  expect(line).toBe(`+${"x".repeat(159)} ...`);
});

test("two completely different texts are not compared to the end", () => {
  const [before, after] = [
    lines(50_000, (line) => `a${line}`),
    lines(50_000, (line) => `b${line}`),
  ];
  expect(describeTextDiff(before, after)).toEqual(["more than 2,000 lines differ"]);
});
