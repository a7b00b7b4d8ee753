import { expect, test } from "vitest";
import type { Finding } from "../finding.js";
import type { Report } from "./reporter.js";
import { text } from "./text.js";

const finding: Finding = {
  id: "enum",
  severity: "error",
  file: "rollouts.jsonl",
  line: 12,
  column: 207,
  pointer: "/objective_score",
  message: "must be 0 or 1, is 7",
};
const report: Report = {
  command: "validate",
  version: "1.2.3",
  checked: 2000,
  findings: [],
  found: { error: 0, warning: 0 },
  notListed: { error: 0, warning: 0 },
};

function print(findings: Finding[], changes: Partial<Report> = {}): string[] {
  return text.print({ ...report, findings, ...changes }, { colour: false }).split("\n");
}

test("nothing for no findings", () => {
  expect(text.print(report, { colour: false })).toBe("");
});

test("columns as wide as their cells, with the severity only where it is a warning", () => {
  const lines = print([
    finding,
    { ...finding, id: "json", line: 3, column: 1, pointer: "", message: "not JSON" },
    { ...finding, id: "a-rule", severity: "warning" },
  ]);
  expect(lines).toEqual([
    "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 7           (enum)",
    "rollouts.jsonl:3:1     (line)            not JSON                       (json)",
    "rollouts.jsonl:12:207  /objective_score  warning: must be 0 or 1, is 7  (a-rule)",
    "",
  ]);
});

test("a cell of unusual length does not push the others apart", () => {
  const pointer = `/${"x".repeat(32)}`;
  const message = "m".repeat(61);
  expect(print([finding, { ...finding, pointer, message }])).toEqual([
    "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 7  (enum)",
    `rollouts.jsonl:12:207  ${pointer}  ${message}  (enum)`,
    "",
  ]);
});

test("the count of the rest", () => {
  expect(print([finding], { notListed: { error: 1, warning: 2345 } })).toEqual([
    "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 7  (enum)",
    "... and 1 more error",
    "... and 2,345 more warnings",
    "",
  ]);
});

test("names of files and fields cannot command a terminal", () => {
  const [line] = print([{ ...finding, file: "a\u001b[2J\n.jsonl", pointer: "/\u202e" }]);
  expect(line).toBe(
    String.raw`a\u001b[2J\u000a.jsonl:12:207  /\u202e  must be 0 or 1, is 7  (enum)`,
  );
});

test("one accent colour, on a terminal only", () => {
  expect(text.print({ ...report, findings: [finding] }, { colour: true })).toBe(
    "\u001b[36mrollouts.jsonl:12:207\u001b[39m  /objective_score  must be 0 or 1, is 7  (enum)\n",
  );
});
