import { InvalidArgumentError } from "commander";
import { afterAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../base/testing/run-in-folder.js";
import { EXIT, UserError } from "../base/user-error.js";
import { profiles } from "../rollouts/wire/validation/profiles.js";
import { OptionValues } from "./command.js";
import { readRunOptions, readSkips } from "./options.js";
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

describe("skipOptions", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  test("a list, a list in pieces, and the older flags mean the same", () => {
    const both = { skipInvalid: true, skipErrored: false, dropContaminated: true };
    for (const given of [
      { skip: ["invalid", "contaminated"] },
      { skip: ["contaminated"], skipInvalid: true },
      { skipInvalid: true, dropContaminated: true },
    ]) {
      expect(readSkips(new OptionValues(given))).toEqual(both);
    }
    const none = { skipInvalid: false, skipErrored: false, dropContaminated: false };
    const errored = new OptionValues({ skip: ["errored"] });
    expect(readSkips(errored)).toEqual({ ...none, skipErrored: true });
    expect(readSkips(new OptionValues({}))).toEqual(none);
  });

  test.each([
    ["export --skip invalid,invlid", "invalid, contaminated, errored"],
    ["export --skip invalid,", "invalid, contaminated, errored"],
    ["export --skip=", "invalid, contaminated, errored"],
    ["rank --output b.jsonl --skip contaminated", "invalid, errored"],
    ["import tinker --output b.jsonl --skip errored", "invalid"],
  ])("%s is refused, with the list", async (line, names) => {
    const { exitCode, stdout, stderr } = await folder.run([...line.split(" "), "-i", "a.jsonl"]);
    expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toMatch(/^option '--skip <what>' argument '.*' is invalid\. /);
    expect(stderr).toContain(` Allowed choices are ${names}, several with commas. `);
  });

  test("help names the older flags, and lists them in no other place", async () => {
    const { stdout } = await folder.run(["export", "--help"]);
    expect(stdout.match(/--skip-invalid|--drop-contaminated/g)).toHaveLength(2);
    expect((await folder.run(["rank", "--help"])).stdout).not.toContain("--drop-contaminated");
    const { stdout: script } = await folder.run(["completion", "bash"]);
    expect(script).not.toContain("--skip-invalid");
  });
});

describe("readRunOptions", () => {
  test("rejects require that something is skipped", () => {
    const given = { rejects: "file", workers: 3 };
    expect(() => readRunOptions(new OptionValues(given))).toThrow("--rejects requires --skip");
    expect(readRunOptions(new OptionValues({ ...given, skip: ["contaminated"] }))).toEqual({
      ...given,
      ...{ skipInvalid: false, skipErrored: false, dropContaminated: true },
    });
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
