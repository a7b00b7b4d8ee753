import { expect, it } from "vitest";
import { parseJson } from "./parse-json.js";

it("tells null from what is not JSON", () => {
  expect(parseJson("null")).toBeNull();
  expect(parseJson('{"a": 1}')).toEqual({ a: 1 });
  expect(parseJson("{a: 1}")).toBeUndefined();
  expect(parseJson("")).toBeUndefined();
});
