import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { lints } from "./index.js";

test("every file is a lint that is entered here", () => {
  const files = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".ts") && !/^(index|lint)\./.test(file))
    .map((file) => file.replace(/\.ts$/, ""));
  expect(files.toSorted()).toEqual(lints.map(({ id }) => id).toSorted());
});
