import { expect, test } from "vitest";
import { loaderArguments } from "./loader-arguments.js";

test("what is compiled needs no loader", () => {
  expect(loaderArguments("file:///package/dist/src/cli/parallel/worker.js")).toEqual([]);
});

test("a checkout needs one that is found without looking at the folder", () => {
  const [flag, module = "", ...rest] = loaderArguments(import.meta.url);
  expect([flag, rest]).toEqual(["--import", []]);
  expect(decodeURIComponent(module)).toMatch(/^data:text\/javascript,import .* from "file:.*tsx/);
});
