import { expect, test } from "vitest";
import { OptionValues } from "./command.js";

const options = new OptionValues({ input: ["a", "b"], format: "text", n: 8, allow: true });

test("values of each type", () => {
  expect(options.texts("input")).toEqual(["a", "b"]);
  expect(options.text("format")).toBe("text");
  expect(options.count("n")).toBe(8);
  expect(options.flag("allow")).toBe(true);
});

test("options that were not given", () => {
  expect(options.optionalText("type")).toBeUndefined();
  expect(options.optionalCount("max")).toBeUndefined();
  expect(options.flag("other")).toBe(false);
});

test("reading an option with another type than declared is a bug", () => {
  expect(() => options.count("format")).toThrow(TypeError);
  expect(() => options.optionalText("n")).toThrow(TypeError);
  expect(() => options.texts("format")).toThrow(TypeError);
  expect(() => options.text("type")).toThrow(TypeError);
});

test("an empty value and a following flag are errors", () => {
  const values = new OptionValues({ outputDir: "", output: "--skip-invalid", input: ["a", "--n"] });
  expect(() => values.optionalText("outputDir")).toThrow("--output-dir: its value is empty");
  expect(() => values.text("output")).toThrow("--output needs a value, but --skip-invalid follows");
  expect(() => values.texts("input")).toThrow("--input needs a value, but --n follows");
});
