import { expect, test } from "vitest";
import { unitsOf } from "../../../src/base/testing/exports-of.js";
import { requirements } from "./index.js";

test("every requirement in the folder is registered", async () => {
  expect(await unitsOf(import.meta.dirname, ["id", "purpose"])).toEqual(new Set(requirements));
});

test.each(requirements)("$id has a purpose", ({ purpose }) => {
  expect(purpose).toMatch(/^[A-Z].*\.$/);
});
