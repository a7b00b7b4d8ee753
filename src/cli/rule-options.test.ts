import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { profiles } from "../validation/profiles.js";
import { OptionValues } from "./option-values.js";
import { parseRuleSetting, readSeverities } from "./rule-options.js";

test("settings add up, and the last one of a rule counts", () => {
  const first = parseRuleSetting("duplicate-key=off");
  const second = parseRuleSetting("tool-event-dialect=error", first);
  expect(parseRuleSetting("duplicate-key=warn", second)).toEqual({
    "duplicate-key": "warning",
    "tool-event-dialect": "error",
  });
  expect(first).toEqual({ "duplicate-key": "off" });
});

test.each(["", "=off", "none=off", "duplicate-key", "duplicate-key=", "duplicate-key=off=off"])(
  "%j is no setting",
  (text) => {
    expect(() => parseRuleSetting(text)).toThrow(InvalidArgumentError);
  },
);

test("a profile with the settings of single rules", () => {
  const plain = new OptionValues({ profile: "lenient" });
  expect(readSeverities(plain)).toEqual(profiles.lenient);
  const rule = parseRuleSetting("duplicate-key=off");
  expect(readSeverities(new OptionValues({ profile: "strict", rule }))).toEqual({
    ...profiles.strict,
    "duplicate-key": "off",
  });
});
