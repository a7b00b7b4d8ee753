import type { ReportingDescriptor } from "sarif";
import { expect, test } from "vitest";
import type { Finding } from "../base/findings/finding.js";
import { createTestFolder } from "../base/testing/run-in-folder.js";
import { createBranch } from "../rollouts/wire/export/testing/create-branch.js";
import { rules } from "../rollouts/wire/validation/rules/index.js";
import { describeChangeRule } from "./diff/describe-rule.js";
import { describeGradeRule } from "./drift/describe-rule.js";
import { describeRule } from "./rule-texts.js";

const finding: Finding = {
  id: "required",
  severity: "error",
  file: "a.jsonl",
  line: 1,
  column: 1,
  pointer: "",
  message: 'lacks "rank"',
  cause: "rank",
};
const EXPLAINING = { command: "validate", program: "npx --no-install rollout-wire" };

test.each(rules)("$id is explained by its purpose and its page", ({ id, purpose }) => {
  const { short, help, markdown, page } = describeRule({ ...finding, id }, EXPLAINING);
  expect(short.toLowerCase()).toBe(`${purpose.toLowerCase()}.`);
  expect(page).toBe(`docs/rules/${id}.md`);
  expect(markdown).toMatch(/^# [\s\S]*\n## Why\n[\s\S]*\n## Fix\n/);
  expect(help).toMatch(/\nFix\n\n\S/);
  expect(help).not.toMatch(/\]\(|```|^#/m);
});

test("any other finding is explained by an example, with its fix if there is one", () => {
  expect(describeRule(finding, EXPLAINING)).toEqual({
    short: "validate found a fault of the kind required.",
    help: 'For example: lacks "rank". Fix: npx --no-install rollout-wire rank --input a.jsonl --output ranked.jsonl',
    page: "docs/validate.md",
  });
});

test("in SARIF, every rule of a run has its text", async () => {
  const folder = createTestFolder();
  folder.write("old.json", '{"type": "number"}');
  folder.write("new.json", '{"type": "number", "minimum": 1}');
  folder.write("twice.jsonl", `{"task": "a", ${JSON.stringify(createBranch()).slice(1)}\n`);
  for (const [argv, expected] of [
    [["validate", "twice.jsonl"], "no object has duplicate keys."],
    [["diff", "old.json", "new.json"], "fewer numbers are allowed."],
  ] as const) {
    const { stdout } = await folder.run([...argv, "--format", "sarif"]);
    const { rules: printed } = JSON.parse(stdout).runs[0].tool.driver;
    const texts: string[] = printed.map(
      ({ shortDescription, help }: ReportingDescriptor) =>
        help?.text && help.markdown && shortDescription?.text.toLowerCase(),
    );
    expect(texts).toContain(expected);
    expect(texts.every(Boolean)).toBe(true);
  }
  folder.remove();
});

test("a change of a schema is explained by its rule", () => {
  expect(describeChangeRule({ id: "N1" })).toEqual({
    short: "Fewer numbers are allowed.",
    help: "range-tightened: Fewer numbers are allowed. If it breaks something: keep the range, or release a new version of the format.",
    page: "docs/compatibility.md",
  });
  expect(describeChangeRule({ id: "failure" })).toBeUndefined();
});

test("a copy that differs is explained by its grade", () => {
  expect(describeGradeRule({ id: "changed" })).toEqual({
    short: "A copy is a different file.",
    help: "A copy is a different file. Fix: inspect it with git diff; undo it, or sync --force.",
    markdown:
      "A copy is a different file. Fix: inspect it with `git diff`; undo it, or `sync --force`.",
    page: "docs/consumers.md#grades-and-fixes",
  });
  expect(describeGradeRule({ id: "unregistered" })).toBeUndefined();
});
