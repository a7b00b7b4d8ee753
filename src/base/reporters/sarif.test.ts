import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import type { Finding } from "../findings/finding.js";
import type { Report } from "../findings/report.js";
import { escapeControls } from "../text.js";
import type { ReportStyle } from "./reporter.js";
import { sarif } from "./sarif.js";
import { createCheckReport, createFinding, createReport } from "./testing/create-report.js";

const parse = (report: Report) => JSON.parse(sarif.print(report, { colour: false })).runs[0];

const print = (...findings: Partial<Finding>[]) => parse(createReport(findings.map(createFinding)));

const fingerprintsOf = (...findings: Partial<Finding>[]): string[] =>
  print(...findings).results.map(
    (result: { partialFingerprints: Record<string, string> }) =>
      result.partialFingerprints["finding/v1"],
  );

test("a result has its rule, position, pointer and fingerprint", () => {
  const { tool, results } = print({}, { id: "type", severity: "warning" }, {});
  expect(tool.driver).toEqual({
    name: "rollout-wire",
    version: "1.2.3",
    rules: [
      {
        id: "enum",
        shortDescription: { text: "A finding of the kind enum." },
        help: {
          text: "For example: must be 0 or 1, is 7.",
          markdown: "For example: must be 0 or 1, is 7.",
        },
      },
      expect.objectContaining({ id: "type" }),
    ],
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

test("the fingerprint depends on the position and not on the message", () => {
  const first = fingerprintsOf({});
  expect(fingerprintsOf({ message: "other words" })).toEqual(first);
  expect(fingerprintsOf({ line: 13 })).not.toEqual(first);
});

test("findings that differ only in their messages have different fingerprints", () => {
  const lacking = ["a", "b", "c", "d"].map((name) => ({
    id: "required",
    pointer: "",
    message: `lacks "${name}"`,
  }));
  const fingerprints = fingerprintsOf(...lacking);
  expect(new Set(fingerprints).size).toBe(4);
  expect(fingerprintsOf({}, ...lacking).slice(1)).toEqual(fingerprints);
});

test("a run with unlisted findings says so", () => {
  const notListed = { error: 3, warning: 1 };
  const [invocation] = parse(createReport([], { found: notListed, notListed })).invocations;
  expect(invocation.toolExecutionNotifications).toEqual([
    {
      level: "warning",
      message: {
        text: "3 more errors and 1 more warning found: raise --max-errors to list them",
      },
    },
  ]);
  expect(print({}).invocations[0].toolExecutionNotifications).toEqual([]);
});

test.each(["", "/"])(
  "names of files and fields cannot break the document or inject terminal escapes",
  (root) => {
    const finding = createFinding({
      file: `${root}a\u001b\u009b\u202e\ud800.jsonl`,
      pointer: "/\u001b\u009b\u202e\ud800",
    });
    const text = sarif.print(createReport([finding]), { colour: false });
    expect(text.replaceAll("\n", "")).toBe(escapeControls(text.replaceAll("\n", "")));
    const { physicalLocation, logicalLocations } = parse(createReport([finding])).results[0]
      .locations[0];
    expect(physicalLocation.artifactLocation.uri).toMatch(/a%1B%C2%9B%E2%80%AE%EF%BF%BD\.jsonl$/);
    expect(logicalLocations[0].fullyQualifiedName).toBe("/\u001b\u009b\u202e\ufffd");
  },
);

test("absolute paths become file URLs", () => {
  const [result] = print({ file: "/data/a b.jsonl" }).results;
  expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe(
    "file:///data/a%20b.jsonl",
  );
});

test("in a conformance run, rules have their fix, and details follow the message", () => {
  const { tool, results, properties } = parse(
    createCheckReport([createFinding({ detail: "- a\n+ b" })]),
  );
  expect(tool.driver.rules).toEqual([
    {
      id: "enum",
      shortDescription: { text: "The exporter writes the same output." },
      help: {
        text: "if this change is intended: npm run cli -- check --write-golden",
        markdown: "if this change is intended: npm run cli -- check --write-golden",
      },
    },
  ]);
  expect(results[0].message.text).toBe("must be 0 or 1, is 7\n- a\n+ b");
  expect(properties.checks).toHaveLength(2);
});

const EXPLAINED: ReportStyle = {
  colour: false,
  describeRule: ({ id }) => ({
    short: `What ${id} is.`,
    help: "Fix it.",
    markdown: "*Fix* it.",
    page: `docs/${id}.md`,
  }),
  repository: "https://git.example/jane/wire",
};

test("rules have the texts of their findings, and links once the repository is public", () => {
  const toDriver = (style: ReportStyle) =>
    JSON.parse(sarif.print(createReport([createFinding()]), style)).runs[0].tool.driver;
  const rule = {
    id: "enum",
    shortDescription: { text: "What enum is." },
    help: { text: "Fix it.", markdown: "*Fix* it." },
  };
  const pages = "https://git.example/jane/wire/blob/v1.2.3";
  expect(toDriver(EXPLAINED)).toMatchObject({
    informationUri: `${pages}/README.md`,
    rules: [{ ...rule, helpUri: `${pages}/docs/enum.md` }],
  });
  const unpublished = toDriver({ ...EXPLAINED, repository: undefined });
  expect(unpublished).toEqual({ name: "rollout-wire", version: "1.2.3", rules: [rule] });
});

/** The schema from the SARIF SDK (`@microsoft/sarif-multitool-linux` 5.7.0, MIT). */
const schema = readFileSync(join(import.meta.dirname, "testing/sarif-2.1.0.schema.json"), "utf8");

test.each([
  createReport([]),
  createReport([createFinding({ file: "/a\ud800 b" }), createFinding({ severity: "warning" })], {
    notListed: { error: 1, warning: 0 },
  }),
  createCheckReport([createFinding({ detail: "- a" })]),
])("a log is valid under the schema of SARIF 2.1.0", (report) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(schema));
  for (const style of [{ colour: false }, EXPLAINED]) {
    validate(JSON.parse(sarif.print(report, style)));
    expect(validate.errors).toBe(null);
  }
  expect(validate({ version: "2.1.0", runs: [{}] })).toBe(false);
});
