import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { reporters } from "./index.js";

test("text comes first, because it is the default", () => {
  expect(reporters[0]?.id).toBe("text");
});

/** Names of the reporter files, without extension; their tests are named `<id>.test`. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !/^(index|reporter)\./.test(file))
  .map((file) => file.replace(/\.ts$/, ""));

test("every file is a registered reporter with a test of the same name", () => {
  const expected = reporters.flatMap(({ id }) => [id, `${id}.test`]);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test.each(reporters)("$id has a purpose", ({ purpose }) => {
  expect(purpose).toMatch(/\w/);
});
