import { describe, expect, test } from "vitest";
import { findErrors } from "#generated/index.js";
import { causeOf } from "../findings/causes.js";
import type { Finding } from "../findings/finding.js";
import type { Report } from "../findings/report.js";
import { json } from "./json.js";
import { junit } from "./junit.js";
import { createCheckReport } from "./testing/create-report.js";
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
  thing: "record",
  findings: [],
  found: { error: 0, warning: 0 },
  notListed: { error: 0, warning: 0 },
};

function print(findings: Finding[], changes: Partial<Report> = {}): string[] {
  return text.print({ ...report, findings, ...changes }, { colour: false }).split("\n");
}

test("no findings, no output", () => {
  expect(text.print(report, { colour: false })).toBe("");
});

test("columns fit their cells, and only warnings show their severity", () => {
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

test("an unusually long cell does not widen its column", () => {
  const pointer = `/${"x".repeat(32)}`;
  const message = "m".repeat(61);
  expect(print([finding, { ...finding, pointer, message }])).toEqual([
    "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 7  (enum)",
    `rollouts.jsonl:12:207  ${pointer}  ${message}  (enum)`,
    "",
  ]);
});

test("the number of unlisted findings", () => {
  expect(print([finding], { notListed: { error: 1, warning: 2345 } })).toEqual([
    "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 7  (enum)",
    "... and 1 more error",
    "... and 2,345 more warnings",
    "",
  ]);
});

test("findings of one cause are shown once, if there are many", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, line) => ({
      ...finding,
      line,
      message: `must be 0, is ${line}`,
      cause: "must be 0",
    }));
  expect(print(lines(4)).length).toBe(4 + 1);
  const unlistedCauses = new Map([
    [causeOf({ ...finding, cause: "must be 0 or 1" }), 9],
    ["another", 5],
  ]);
  const cause = "must be 0 or 1";
  const other = { ...finding, message: "must be 0 or 1, is 8", cause };
  const changes = { unlistedCauses, notListed: { error: 20, warning: 0 } };
  expect(print([...lines(5), other], changes)).toEqual(
    [
      "rollouts.jsonl:0:207  /objective_score  must be 0, is 0       (enum)",
      "  ... and 4 more in this file",
      "rollouts.jsonl:12:207  /objective_score  must be 0 or 1, is 8  (enum)",
      "  ... and 9 more in this file",
      "... and 11 more errors",
      "",
    ].map((line) => line.replace("0:207  ", "0:207   ")),
  );
  expect(print(lines(5), { thing: "artefact" }).length).toBe(5 + 1);
});

test("the fix of several causes is shown once", () => {
  const findings = ["rank-permutation", "rank-follows-score"].flatMap((id) =>
    Array.from({ length: 5 }, () => ({ ...finding, id, file: "it's.jsonl" })),
  );
  const printed = text.print(
    { ...report, findings },
    { colour: false, findFix: ({ file }) => `rank ${file}` },
  );
  expect(printed.split("\n").filter((line) => !line.includes("must"))).toEqual([
    "  ... and 4 more in this file",
    "  fix: rank it's.jsonl",
    "  ... and 4 more in this file",
    "",
  ]);
});

test("names of files and fields cannot inject terminal escapes", () => {
  const [line] = print([{ ...finding, file: "a\u001b[2J\n.jsonl", pointer: "/\u202e" }]);
  expect(line).toBe(
    String.raw`a\u001b[2J\u000a.jsonl:12:207  /\u202e  must be 0 or 1, is 7  (enum)`,
  );
});

test("colours show places and severities", () => {
  const findings = [finding, { ...finding, severity: "warning", id: "a-rule" } as const];
  expect(text.print({ ...report, findings }, { colour: true }).split("\n")).toEqual([
    "\u001b[36mrollouts.jsonl:12:207\u001b[39m  /objective_score  must be 0 or 1, is 7           \u001b[31m(enum)\u001b[39m",
    "\u001b[36mrollouts.jsonl:12:207\u001b[39m  /objective_score  warning: must be 0 or 1, is 7  \u001b[33m(a-rule)\u001b[39m",
    "",
  ]);
});

describe("a conformance run", () => {
  test("a table of all checks", () => {
    expect(text.print(createCheckReport([]), { colour: true })).toBe(
      [
        "  registry               3 schemas, 1 released version               ok",
        "  golden                 9 outputs                                   ok",
        "",
      ].join("\n"),
    );
  });

  test("then the findings of each red check, with the fix", () => {
    const report = createCheckReport([
      { ...finding, detail: '- "a"\n+ "b"' },
      { ...finding, severity: "warning", file: "b\u001b.jsonl", pointer: "", id: "a-rule" },
    ]);
    expect(text.print(report, { colour: false }).split("\n").slice(1)).toEqual([
      "  golden                 9 outputs                                   2 findings",
      "",
      "golden",
      "  rollouts.jsonl:12:207  /objective_score  (enum)",
      "        must be 0 or 1, is 7",
      '        - "a"',
      '        + "b"',
      String.raw`  b\u001b.jsonl:12:207  (a-rule)`,
      "        warning: must be 0 or 1, is 7",
      "        fix:  if this change is intended: npm run cli -- check --write-golden",
      "",
    ]);
  });

  test("a red check is red, and so are its errors", () => {
    const [, golden, , , place] = text
      .print(createCheckReport([finding]), { colour: true })
      .split("\n");
    expect(golden?.endsWith("  \u001b[31m1 finding\u001b[39m")).toBe(true);
    expect(place?.endsWith("  \u001b[31m(enum)\u001b[39m")).toBe(true);
  });

  test("a check that was not run says what to fix first", () => {
    const report = createCheckReport([finding]);
    const [registry, golden] = report.checks ?? [];
    if (registry === undefined || golden === undefined) throw new TypeError("there are two checks");
    const checks = [{ ...registry, checked: [], waitsFor: "golden" }, golden];
    const [row] = text.print({ ...report, checks }, { colour: false }).split("\n");
    expect(row).toMatch(/^ {2}registry +nothing +not run: fix golden first$/);
    expect(JSON.parse(json.print({ ...report, checks }, { colour: false })).checks).toMatchObject([
      { id: "golden" },
    ]);
    expect(junit.print({ ...report, checks }, { colour: false })).toContain(
      '<skipped message="not run: fix golden first"/>',
    );
  });

  test("things that have names are named", () => {
    const report = createCheckReport([finding]);
    const [registry] = report.checks ?? [];
    if (registry === undefined) throw new TypeError("there are two checks");
    const checked = [{ count: 2, thing: "implementation", names: ["python", "go\u001b run"] }];
    const named = { ...report, checks: [{ ...registry, checked }] };
    expect(text.print(named, { colour: false })).toContain(
      String.raw`2 implementations (python, go\u001b run)`,
    );
    const printed = JSON.parse(json.print(named, { colour: false }));
    expect(printed.checks).toMatchObject([{ checked }]);
    expect(findErrors("FindingReport", printed)).toEqual([]);
  });

  test("warnings leave a check green, and a check that could not run examined nothing", () => {
    const report = createCheckReport([{ ...finding, severity: "warning" }]);
    const [registry, golden] = report.checks ?? [];
    const checks = [registry, golden].flatMap((each) => (each ? [{ ...each, checked: [] }] : []));
    expect(
      text
        .print({ ...report, checks }, { colour: false })
        .split("\n")
        .slice(0, 2),
    ).toEqual([
      "  registry               nothing                                     ok",
      "  golden                 nothing                                     ok, 1 warning",
    ]);
  });
});
