import { expect, test } from "vitest";
import { github } from "./github.js";
import { markdown } from "./markdown.js";
import { createCheckReport, createFinding, createReport } from "./testing/create-report.js";

const style = { colour: false };

test("one command per finding, with escaped properties", () => {
  const report = createReport([
    createFinding(),
    createFinding({ severity: "warning", pointer: "", message: "100 % of\ntwo lines: a, b" }),
  ]);
  expect(github.print(report, style)).toBe(
    "::error file=runs/a%2Cb%3Ac.jsonl,line=12,col=207,title=enum::/objective_score must be 0 or 1, is 7\n" +
      "::warning file=runs/a%2Cb%3Ac.jsonl,line=12,col=207,title=enum::100 %25 of%0Atwo lines: a, b\n",
  );
});

test("names of files and fields cannot inject terminal escapes", () => {
  const finding = createFinding({ file: "a\u001b[2J\n.jsonl", pointer: "/\u202e" });
  expect(github.print(createReport([finding]), style)).toBe(
    String.raw`::error file=a\u001b[2J\u000a.jsonl,line=12,col=207,title=enum::/\u202e must be 0 or 1, is 7` +
      "\n",
  );
});

test("the number of unlisted findings is reported", () => {
  const report = createReport([], { notListed: { error: 2, warning: 1 } });
  expect(github.print(report, style)).toBe("::notice::and 3 more findings\n");
});

test("a conformance run names the check, shows details, and has a summary table", () => {
  const report = createCheckReport([createFinding({ pointer: "", detail: "- a\n+ b" })]);
  expect(github.print(report, style)).toBe(
    "::error file=runs/a%2Cb%3Ac.jsonl,line=12,col=207,title=golden%3A enum::must be 0 or 1, is 7%0A- a%0A+ b\n",
  );
  expect(github.summarise?.(report)).toBe(
    [
      "| check | checked | verdict | fix |",
      "| --- | --- | --- | --- |",
      "| `registry` | 3 schemas, 1 released version | ok |  |",
      "| `golden` | 9 outputs | **1 finding** | if this change is intended: npm run cli -- check --write-golden |",
      "",
    ].join("\n"),
  );
});

test("the summary has every listed finding, and nothing if there is none", () => {
  const report = createReport([createFinding(), createFinding({ line: 13 })]);
  expect(github.summarise?.(report)).toBe(markdown.print(report, style));
  expect(github.summarise?.(createReport([]))).toBe("");
});
