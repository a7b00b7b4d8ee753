import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Report } from "../findings/report.js";
import { junit } from "./junit.js";
import { createCheckReport, createFinding, createReport } from "./testing/create-report.js";

/** What an XML parser reads: suites, and their cases with name, failure and output. */
function parse(report: Report): unknown {
  const program = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.attrib, [[suite.attrib, [[case.attrib["name"], case.findtext("failure"), case.findtext("system-out")] for case in suite]] for suite in root]]))`;
  const input = junit.print(report, { colour: false });
  return JSON.parse(execFileSync("python3", ["-c", program], { input, encoding: "utf8" }));
}

test("one suite per file, one failed case per error, one passed case per warning", () => {
  const report = createReport([
    createFinding(),
    createFinding({ file: "<b>.jsonl", severity: "warning", message: 'is "a" & 😀' }),
    createFinding({ line: 13 }),
  ]);
  const failed = (place: string) => [
    `${place} /objective_score (enum)`,
    `${place} /objective_score (enum): must be 0 or 1, is 7`,
    null,
  ];
  expect(parse(report)).toEqual([
    { name: "rollout-wire validate", tests: "3", failures: "2" },
    [
      [
        { name: "runs/a,b:c.jsonl", tests: "2", failures: "2" },
        [failed("runs/a,b:c.jsonl:12:207"), failed("runs/a,b:c.jsonl:13:207")],
      ],
      [
        { name: "<b>.jsonl", tests: "1", failures: "0" },
        [["<b>.jsonl:12:207 /objective_score (enum)", null, 'warning: is "a" & 😀']],
      ],
    ],
  ]);
});

test("a clean run is a passed case, not an empty report", () => {
  expect(parse(createReport([]))).toEqual([
    { name: "rollout-wire validate", tests: "1", failures: "0" },
    [[{ name: "validate", tests: "1", failures: "0" }, [["2,000 records checked", null, null]]]],
  ]);
});

test("the checked things need not be records", () => {
  const printed = junit.print(createReport([], { checked: 12, thing: "comparison" }), {
    colour: false,
  });
  expect(printed).toContain("12 comparisons checked");
});

test("unlisted errors fail, even if none is listed; unlisted warnings do not", () => {
  const found = { error: 4, warning: 1 };
  const none = createReport([], { found, notListed: found });
  const moreErrors = [
    "... and 4 more errors",
    "... and 4 more errors: raise --max-errors to list them",
    null,
  ];
  const moreWarnings = ["... and 1 more warning", null, "warning: raise --max-errors to list them"];
  expect(parse(none)).toEqual([
    { name: "rollout-wire validate", tests: "2", failures: "1" },
    [[{ name: "validate", tests: "2", failures: "1" }, [moreErrors, moreWarnings]]],
  ]);
  const some = createReport([createFinding()], { notListed: { error: 4, warning: 0 } });
  expect(parse(some)).toEqual([
    { name: "rollout-wire validate", tests: "2", failures: "2" },
    [
      [{ name: "runs/a,b:c.jsonl", tests: "1", failures: "1" }, [expect.anything()]],
      [{ name: "validate", tests: "1", failures: "1" }, [moreErrors]],
    ],
  ]);
});

test("names of files and fields cannot break the document or inject terminal escapes", () => {
  const [file, pointer] = ["a\u0000\u001b[2J\u009b\n.jsonl", "/\u202e\ud800\ufffe\uffff"];
  const shown = String.raw`a\u0000\u001b[2J\u009b\u000a.jsonl:12:207 /\u202e\ud800\ufffe\uffff (enum)`;
  expect(parse(createReport([createFinding({ file, pointer })]))).toMatchObject([
    {},
    [[{}, [[shown, `${shown}: must be 0 or 1, is 7`, null]]]],
  ]);
});

test("every character of the document is legal in XML 1.0", () => {
  const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(String.fromCharCode) });
  fc.assert(
    fc.property(text, text, (file, pointer) => {
      const report = createReport([createFinding({ file, pointer, message: file })]);
      const unwelcome = /[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
      expect(junit.print(report, { colour: false })).not.toMatch(unwelcome);
    }),
  );
});

test("a conformance run has one suite per check", () => {
  const report = createCheckReport([createFinding({ file: "a.jsonl", detail: "- <a>\n+ b" })]);
  const place = "a.jsonl:12:207 /objective_score (enum)";
  expect(parse(report)).toEqual([
    { name: "rollout-wire check", tests: "2", failures: "1" },
    [
      [
        { name: "registry", tests: "1", failures: "0" },
        [["The registry is correct. (3 schemas, 1 released version)", null, null]],
      ],
      [
        { name: "golden", tests: "1", failures: "1" },
        [[place, `${place}: must be 0 or 1, is 7\n- <a>\n+ b`, null]],
      ],
    ],
  ]);
});
