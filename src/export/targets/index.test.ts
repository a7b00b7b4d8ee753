import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { isTargetId, targets } from "./index.js";

test("every target is called as its file is", () => {
  const files = readdirSync(import.meta.dirname)
    .filter((file) => !/^(index|target)\.|\.test\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""));
  expect(Object.keys(targets).toSorted()).toEqual(files.toSorted());
  expect(Object.entries(targets).filter(([id, target]) => id !== target.id)).toEqual([]);
});

test("isTargetId knows targets only", () => {
  expect(isTargetId("wire")).toBe(true);
  expect(isTargetId("toString")).toBe(false);
});
