import { expect, test } from "vitest";
import { OptionValues } from "./command.js";

const options = new OptionValues({ input: ["a", "b"], format: "text", n: 8, allow: true });

test("typed values", () => {
  expect(options.texts("input")).toEqual(["a", "b"]);
  expect(options.text("format")).toBe("text");
  expect(options.count("n")).toBe(8);
  expect(options.flag("allow")).toBe(true);
});

test("what was not given", () => {
  expect(options.optionalText("type")).toBeUndefined();
  expect(options.optionalCount("max")).toBeUndefined();
  expect(options.flag("other")).toBe(false);
});

test("a command that reads an option otherwise than it declares it is a bug", () => {
  expect(() => options.count("format")).toThrow(TypeError);
  expect(() => options.optionalText("n")).toThrow(TypeError);
  expect(() => options.texts("format")).toThrow(TypeError);
  expect(() => options.text("type")).toThrow(TypeError);
});

test("a value that is empty, or is the next flag, was forgotten", () => {
  const values = new OptionValues({ outputDir: "", output: "--skip-invalid", input: ["a", "--n"] });
  expect(() => values.optionalText("outputDir")).toThrow("--output-dir: its value is empty");
  expect(() => values.text("output")).toThrow("--output lacks its value: --skip-invalid follows");
  expect(() => values.texts("input")).toThrow("--input lacks its value: --n follows");
});
