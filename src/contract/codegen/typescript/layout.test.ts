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
  "b }"?: ({
    c: (string | null)[];
  } | null);
  d: ({
    [k: string]: unknown;
  } | {
    e: [string, number];
  })[];
}
export type B = "a" | "b";`);
});
