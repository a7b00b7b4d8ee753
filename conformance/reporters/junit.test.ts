import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { junit } from "./junit.js";
import { createFinding, createReport } from "./testing/create-report.js";

/** What a real XML parser reads: suites, and their cases with name, failure and output. */
function parse(xml: string): unknown {
  const program = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
print(json.dumps([root.attrib, [[suite.attrib, [[case.attrib["name"], case.findtext("failure"), case.findtext("system-out")] for case in suite]] for suite in root]]))`;
  return JSON.parse(execFileSync("python3", ["-c", program], { input: xml, encoding: "utf8" }));
}

test("a suite per file, a failed case per error, a passed one per warning", () => {
  const report = createReport([
    createFinding(),
    createFinding({ file: "<b>.jsonl", severity: "warning", message: 'is "a" & \u0001\ud800\n😀' }),
  ]);
  expect(parse(junit.print(report, { colour: false }))).toEqual([
    { name: "rollout-wire validate", tests: "2000", failures: "1" },
    [
      [
        { name: "runs/a,b:c.jsonl", tests: "1", failures: "1" },
        [
          [
            "runs/a,b:c.jsonl:12:207 /objective_score (enum)",
            "runs/a,b:c.jsonl:12:207 must be 0 or 1, is 7",
            null,
          ],
        ],
      ],
      [
        { name: "<b>.jsonl", tests: "1", failures: "0" },
        [["<b>.jsonl:12:207 /objective_score (enum)", null, 'warning: is "a" & \ufffd\ufffd\n😀']],
      ],
    ],
  ]);
});

test("a clean run is a passed case, not an empty report", () => {
  expect(parse(junit.print(createReport([]), { colour: false }))).toEqual([
    { name: "rollout-wire validate", tests: "2000", failures: "0" },
    [[{ name: "validate", tests: "1", failures: "0" }, [["2000 records checked", null, null]]]],
  ]);
});
