import { describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../base/user-error.js";
import { finish } from "../capture/redact/redact.js";
import { redactSecrets } from "../capture/redact/redact-secrets.js";
import { lengthHeuristic, resolvePluginOptions } from "./options.js";

describe("resolvePluginOptions", () => {
  test("defaults are as documented", () => {
    const settings = resolvePluginOptions();
    expect(settings).toMatchObject({ format: "branches", branches: 1, scorer: null });
    expect(settings.sink.name).toMatch(/rollouts$/);
    expect([settings.isIncluded("ANY"), settings.isBranchable("ANY")]).toEqual([true, true]);
  });

  const cases: [object, RegExp][] = [
    [{ format: "dpo" }, /format "dpo" needs branches of 2 or more, .* and branches is 1/],
    [{ format: "both", branches: 1 }, /format "both" needs branches/],
    [{ format: "jsonl" }, /format must be branches or ppo or dpo or both, is "jsonl"/],
    [{ format: "ppo" }, /format "ppo" needs a scorer, .*give scorer .*or format "branches"/],
    [{ format: "both", branches: 2, scorer: null }, /format "both" needs a scorer/],
    [{ branches: 0 }, /branches must be a whole number from 1, is 0/],
    [{ branches: 1.5 }, /is 1.5/],
    [{ branches: "3" }, /is "3"/],
    [{ scorer: 0.5 }, /scorer must be a function of answer and task, or null, is 0.5/],
    [{ includeActions: "ADD" }, /includeActions must be a list of names, is "ADD"/],
    [{ includeActions: [1] }, /includeActions must be a list of names/],
    [{ branchable: true }, /branchable must be a list of names, or a function/],
    [{ redact: "all" }, /redact must be a function of a record, true or false/],
    [
      { brances: 3 },
      /there is no option "brances" \(did you mean branches\?\): use sink, format, branches/,
    ],
    [{ sink: { type: "ftp" } }, /sink/],
    [[], /options must be an object/],
  ];

  test.each(cases)("%j is an error that names the option", (options, message) => {
    const resolve = (): unknown => resolvePluginOptions(options);
    expect(resolve).toThrow(UserError);
    expect(resolve).toThrow(message);
    expect(resolve).toThrow(expect.objectContaining({ exitCode: EXIT.usage }));
  });

  test("names are compared as the runtime does", () => {
    const { isIncluded, isBranchable } = resolvePluginOptions({
      includeActions: ["Send_Mail"],
      branchable: [],
    });
    expect([isIncluded("SENDMAIL"), isIncluded("SEND")]).toEqual([true, false]);
    expect(isBranchable("SENDMAIL")).toBe(false);
  });

  test("redact is the built-in with the runtime's secrets, none, or the user's", () => {
    const secrets = () => ["correct-horse-battery"];
    const record = { text: "correct-horse-battery" };
    const redacted = (redact: unknown) =>
      finish(resolvePluginOptions(Object({ redact })).createRedact(secrets)(record));
    for (const builtIn of [true, redactSecrets]) {
      expect(JSON.stringify(redacted(builtIn))).not.toContain("horse");
    }
    expect(redacted(false)).toBe(record);
    expect(redacted(() => ({ text: "own" }))).toEqual({ text: "own" });
  });
});

describe("lengthHeuristic", () => {
  test("four scores 0.8, an empty answer 0, and longer is better, below 1", () => {
    expect(lengthHeuristic("four")).toBe(0.8);
    expect(lengthHeuristic("")).toBe(0);
    expect(lengthHeuristic("a".repeat(1000))).toBeLessThan(1);
    expect(lengthHeuristic("five!")).toBeGreaterThan(lengthHeuristic("four"));
  });

  test("a character is a code point", () => {
    expect(lengthHeuristic("\u{1F600}")).toBe(0.5);
  });
});
