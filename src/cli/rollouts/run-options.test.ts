import { expect, test } from "vitest";
import { EXIT, UserError } from "../../user-error.js";
import { OptionValues } from "../option-values.js";
import { readRunOptions, runOptions } from "./run-options.js";

test("every option is read", () => {
  expect(runOptions.map((option) => option.attributeName())).toEqual([
    "skipInvalid",
    "rejects",
    "workers",
  ]);
  const given = new OptionValues({ skipInvalid: true, rejects: "file", workers: 3 });
  expect(readRunOptions(given)).toEqual({ skipInvalid: true, rejects: "file", workers: 3 });
  expect(readRunOptions(new OptionValues({ workers: 1 }))).toEqual({
    skipInvalid: false,
    rejects: undefined,
    workers: 1,
  });
});

test("rejects need something that leaves lines out", () => {
  const given = new OptionValues({ rejects: "file", workers: 1 });
  expect(() => readRunOptions(given)).toThrow(/give both/);
  expect(readRunOptions(given, true)).toMatchObject({ skipInvalid: false, rejects: "file" });
});

test.each([{ rejects: "file", workers: 1 }, { workers: 0 }])(
  "what makes no sense: %j",
  (values) => {
    const read = () => readRunOptions(new OptionValues(values));
    expect(read).toThrow(UserError);
    expect(read).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
  },
);
