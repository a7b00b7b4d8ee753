import { expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import type { Report } from "../findings/report.js";
import { json } from "./json.js";
import { createCheckReport, createFinding, createReport } from "./testing/create-report.js";

const report: Report = {
  command: "validate",
  version: "1.2.3",
  checked: 2000,
  thing: "record",
  findings: [
    {
      id: "required",
      severity: "error",
      file: "a\u009b.jsonl",
      line: 12,
      column: 207,
      pointer: "/\u{e0041}",
      message: 'lacks "task"',
    },
  ],
  found: { error: 3, warning: 1 },
  notListed: { error: 2, warning: 1 },
};

test("one object: the program, the findings and a summary", () => {
  expect(JSON.parse(json.print(report, { colour: true }))).toEqual({
    report_version: "finding-report/v1",
    tool: "rollout-wire",
    version: "1.2.3",
    command: "validate",
    checked: 2000,
    findings: report.findings,
    summary: { errors: 3, warnings: 1, not_listed: { errors: 2, warnings: 1 } },
  });
});

test("causes are not printed", () => {
  const findings = report.findings.map((finding) => ({ ...finding, cause: "task" }));
  expect(json.print({ ...report, findings }, { colour: true })).toBe(
    json.print(report, { colour: true }),
  );
});

test("the output cannot inject terminal escapes", () => {
  const text = json.print(report, { colour: true });
  expect(text).toContain(String.raw`"file": "a\u009b.jsonl"`);
  expect(text).toContain(String.raw`"pointer": "/\udb40\udc41"`);
  expect(text.endsWith("}\n")).toBe(true);
});

test("a conformance run includes its checks", () => {
  const { checks, findings } = JSON.parse(
    json.print(createCheckReport([createFinding({ detail: "- a" })]), { colour: false }),
  );
  expect(checks[1]).toEqual({
    id: "golden",
    purpose: "The exporter writes the same output.",
    fix: "if this change is intended: npm run cli -- check --write-golden",
    checked: [{ count: 9, thing: "output" }],
    found: { errors: 1, warnings: 0 },
  });
  expect(findings).toMatchObject([{ check: "golden", detail: "- a" }]);
});

test.each([report, createReport([]), createCheckReport([createFinding({ detail: "- a" })])])(
  "the output is valid under its published schema",
  (each) => {
    const printed: unknown = JSON.parse(json.print(each, { colour: false }));
    expect(findErrors("FindingReport", printed)).toEqual([]);
  },
);
