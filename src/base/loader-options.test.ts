import { expect, test } from "vitest";
import { loaderOptions } from "./loader-options.js";

test("compiled code needs no loader", () => {
  expect(loaderOptions("file:///package/dist/bin/worker.js")).toEqual({});
});

test("a checkout needs one that is found from any working folder", () => {
  const [flag, module = "", ...rest] = loaderOptions(import.meta.url).execArgv ?? [];
  expect([flag, rest]).toEqual(["--import", []]);
  expect(decodeURIComponent(module)).toMatch(/^data:text\/javascript,import .* from "file:.*tsx/);
});
