import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { requirements } from "./index.js";

/** Names of the files beside this one, without their endings; tests are named `<id>.test`. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !file.startsWith("index."))
  .map((file) => file.replace(/\.ts$/, ""));

test("every file is a requirement that is entered here, with a test of its name", () => {
  const expected = requirements.flatMap(({ id }) => [id, `${id}.test`]);
  expect(files.toSorted()).toEqual(expected.toSorted());
});

test.each(requirements)("$id says what must be there", ({ purpose }) => {
  expect(purpose).toMatch(/^[A-Z].*\.$/);
});
