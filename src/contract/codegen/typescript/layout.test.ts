import { expect, test } from "vitest";
import { layOutTypes } from "./layout.js";

test("members are indented and separated, whatever their texts and comments hold", () => {
  const printed = `export interface A {
/**
 * A brace { in words
 */
a: "x{" | 'y('
"b }"?: ({
c: (string | null)[]
} | null)
d: ({
[k: string]: unknown
} | {
e: [string, number]
})[]
}
export type B = ("a" | "b")`;
  expect(layOutTypes(printed)).toBe(`export interface A {
  /**
   * A brace { in words
   */
  a: "x{" | 'y(';
  "b }"?: {
    c: (string | null)[];
  } | null;
  d: ({
    [k: string]: unknown;
  } | {
    e: [string, number];
  })[];
}
export type B = "a" | "b";`);
});

test("a line may end more brackets than it begins with, and open others", () => {
  const code =
    "export type A = ((B & (C | {\na: 1\n} | {\nb: 2\n}))[] | (C | {\na: 1\n}))\nexport interface D {\nd: 3\n}";
  expect(layOutTypes(code)).toBe(
    "export type A = (B & (C | {\n  a: 1;\n} | {\n  b: 2;\n}))[] | (C | {\n  a: 1;\n});\nexport interface D {\n  d: 3;\n}",
  );
});
