import { afterAll, describe, expect, test } from "vitest";
import { entryTypes } from "#generated/index.js";
import { targets } from "../export/targets/index.js";
import { reporters } from "../reporters/index.js";
import { EXIT } from "../user-error.js";
import { commands } from "./commands/index.js";
import { createTestFolder } from "./testing/run-in-folder.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

describe("a mistake on the command line is one line and exit code 2", () => {
  test.each<[string[], string]>([
    [
      [],
      "say what to do: validate, import, rank, export, check, diff, drift, sync  Help:  rollout-wire --help",
    ],
    [["valdate"], "unknown command 'valdate' (Did you mean validate?)  Help:  rollout-wire --help"],
    [["validate"], "missing required argument 'file'  Help:  rollout-wire validate --help"],
    [
      ["validate", "--max-error", "1", "a"],
      "unknown option '--max-error' (Did you mean --max-errors?)  Help:  rollout-wire validate --help",
    ],
    [
      ["validate", "--frobnicate", "a"],
      "unknown option '--frobnicate'  Help:  rollout-wire validate --help",
    ],
    [
      ["validate", "--max-errors", "-1", "a"],
      "option '--max-errors <n>' argument '-1' is invalid. It must be a whole number from 0.  Help:  rollout-wire validate --help",
    ],
    [
      ["validate", "--format", "xml", "a"],
      `option '--format <name>' argument 'xml' is invalid. Allowed choices are ${reporters.map(({ id }) => id).join(", ")}.  Help:  rollout-wire validate --help`,
    ],
    [
      ["validate", "--type", "Nope", "a"],
      `option '--type <name>' argument 'Nope' is invalid. Allowed choices are ${entryTypes.map(({ name }) => name).join(", ")}.  Help:  rollout-wire validate --help`,
    ],
    [
      ["validate", "--type"],
      "option '--type <name>' argument missing  Help:  rollout-wire validate --help",
    ],
    [
      ["export"],
      "required option '--input <file...>' not specified  Help:  rollout-wire export --help",
    ],
    [
      ["export", "--input", "a", "--target", "nope"],
      `option '--target <name>' argument 'nope' is invalid. Allowed choices are ${Object.keys(targets).join(", ")}.  Help:  rollout-wire export --help`,
    ],
  ])("%j", async (argv, stderr) => {
    expect(await folder.run(argv)).toEqual({
      exitCode: EXIT.usage,
      stdout: "",
      stderr: `${stderr}\n`,
    });
  });
});

describe("help", () => {
  test("of the program names every command", async () => {
    const { exitCode, stdout, stderr } = await folder.run(["--help"]);
    expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
    for (const { name, summary } of commands) {
      expect(stdout).toContain(name);
      expect(stdout).toContain(summary);
    }
  });

  test.each(commands)(
    "of $name has an example and every option",
    async ({ name, options, examples }) => {
      const { exitCode, stdout, stderr } = await folder.run([name, "--help"]);
      expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(stdout).toContain(`\n  rollout-wire ${example}\n`);
      for (const { flags } of options) expect(stdout).toContain(flags);
    },
  );

  test("the version", async () => {
    expect(await folder.run(["--version"])).toEqual({
      exitCode: EXIT.ok,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      stderr: "",
    });
  });
});
