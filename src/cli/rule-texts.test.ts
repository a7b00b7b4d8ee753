import { expect, test } from "vitest";
import type { Finding } from "../base/findings/finding.js";
import { rules } from "../rollouts/wire/validation/rules/index.js";
import { describeChangeRule } from "./diff/describe-rule.js";
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

test("a change of a schema is explained by its rule", () => {
  expect(describeChangeRule({ id: "N1" })).toEqual({
    short: "Fewer numbers are allowed.",
    help: "range-tightened: Fewer numbers are allowed. If it breaks something: keep the range, or release a new version of the format.",
    page: "docs/compatibility.md",
  });
  expect(describeChangeRule({ id: "failure" })).toBeUndefined();
});
