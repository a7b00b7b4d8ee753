import { InvalidArgumentError } from "commander";
import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../base/user-error.js";
import { profiles } from "../rollouts/wire/validation/profiles.js";
import { OptionValues } from "./command.js";
import { readRunOptions, runOptions } from "./options.js";
import { parseRuleSetting, readSeverities } from "./rollout-options.js";

describe("ruleOptions", () => {
  test("settings accumulate, and the last one of a rule counts", () => {
    const first = parseRuleSetting("duplicate-key=off");
    const second = parseRuleSetting("tool-event-dialect=error", first);
    expect(parseRuleSetting("duplicate-key=warn", second)).toEqual({
      "duplicate-key": "warning",
      "tool-event-dialect": "error",
    });
    expect(first).toEqual({ "duplicate-key": "off" });
  });

  test.each(["", "=off", "none=off", "duplicate-key", "duplicate-key=", "duplicate-key=off=off"])(
    "%j is not a setting",
    (text) => {
      expect(() => parseRuleSetting(text)).toThrow(InvalidArgumentError);
    },
  );

  test("a profile with overridden rules", () => {
    const plain = new OptionValues({ profile: "lenient" });
    expect(readSeverities(plain)).toEqual(profiles.lenient);
    const rule = parseRuleSetting("duplicate-key=off");
    expect(readSeverities(new OptionValues({ profile: "strict", rule }))).toEqual({
      ...profiles.strict,
      "duplicate-key": "off",
    });
  });
});

describe("RunOptions", () => {
  test("all options are read", () => {
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

  test("--rejects requires an option that omits lines", () => {
    const given = new OptionValues({ rejects: "file", workers: 1 });
    expect(() => readRunOptions(given)).toThrow(/requires --skip-invalid/);
    expect(readRunOptions(given, true)).toMatchObject({ skipInvalid: false, rejects: "file" });
  });

  test.each([{ rejects: "file", workers: 1 }, { workers: 0 }])(
    "inconsistent options: %j",
    (values) => {
      const read = () => readRunOptions(new OptionValues(values));
      expect(read).toThrow(UserError);
      expect(read).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
    },
  );
});
