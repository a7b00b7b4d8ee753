import { expect, test } from "vitest";
import { unitsOf } from "../../../src/testing/exports-of.js";
import { requirements } from "./index.js";

test("every requirement of the folder is entered", async () => {
  expect(await unitsOf(import.meta.dirname, ["id", "purpose"])).toEqual(new Set(requirements));
});

test.each(requirements)("$id says what must be there", ({ purpose }) => {
  expect(purpose).toMatch(/^[A-Z].*\.$/);
});
