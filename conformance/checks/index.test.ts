import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { checks } from "./index.js";

/** Names of the files beside this one, without their endings; tests are named `<id>.test`. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !/^(index|check)\./.test(file))
  .map((file) => file.replace(/\.ts$/, ""));

test("every file is a check that is entered here, with a test of its name", () => {
  const expected = checks.flatMap(({ id }) => [id, `${id}.test`]);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test.each(checks)("$id says what it holds and what mends it", ({ purpose, mend }) => {
  expect(purpose).toMatch(/^[A-Z].*\.$/);
  expect(mend).toMatch(/^\S.*[^.]$/);
});
