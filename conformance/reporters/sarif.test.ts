import { expect, test } from "vitest";
import { sarif } from "./sarif.js";
import { createFinding, createReport } from "./testing/create-report.js";

const print = (...findings: Parameters<typeof createFinding>[0][]) =>
  JSON.parse(sarif.print(createReport(findings.map(createFinding)), { colour: false })).runs[0];

test("a result names its rule, its place, its pointer and a fingerprint", () => {
  const { tool, results } = print({}, { id: "type", severity: "warning" }, {});
  expect(tool.driver).toEqual({
    name: "rollout-wire",
    version: "1.2.3",
    rules: [{ id: "enum" }, { id: "type" }],
  });
  expect(results[1]).toEqual({
    ruleId: "type",
    ruleIndex: 1,
    level: "warning",
    message: { text: "must be 0 or 1, is 7" },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: "runs/a%2Cb%3Ac.jsonl" },
          region: { startLine: 12, startColumn: 207 },
        },
        logicalLocations: [{ fullyQualifiedName: "/objective_score", kind: "value" }],
      },
    ],
    partialFingerprints: { "finding/v1": expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
});

test("a reworded message is the same finding, another place is not", () => {
  const { results } = print({}, { message: "other words" }, { line: 13 });
  const [first, reworded, elsewhere] = results.map(
    (result: { partialFingerprints: unknown }) => result.partialFingerprints,
  );
  expect(reworded).toEqual(first);
  expect(elsewhere).not.toEqual(first);
});

test("absolute paths become file URLs", () => {
  const [result] = print({ file: "/data/a b.jsonl" }).results;
  expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe(
    "file:///data/a%20b.jsonl",
  );
});
