import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { type DriftReport, isDriftReport } from "#generated/index.js";
import type { JsonObject } from "../../base/json/value.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { readWire } from "../../contract/drift/testing/replica.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

function write(path: string, content: unknown): void {
  const file = join(folder.path, "repo", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

/** The first record of a type in its suite of fixtures. */
function readRecord(type: string): JsonObject {
  const suite = readFileSync(join(packageRoot(), `fixtures/suites/${type}.json`), "utf8");
  return JSON.parse(suite).base;
}

beforeEach(() => {
  rmSync(join(folder.path, "repo"), { recursive: true, force: true });
  const records = [createBranch(), readRecord("DpoRecord"), readRecord("PpoRecord")];
  write("records.jsonl", records.map((record) => `${JSON.stringify(record)}\n`).join(""));
});

async function drift(): Promise<DriftReport> {
  const { stdout, stderr } = await folder.run(["drift", "--repo", "repo", "--format", "json"]);
  const report: unknown = JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error(stderr);
  return report;
}

const { $defs } = readWire();

/** A fork of one record type without a title, whose provenance is written out. */
function untitled(type: string, provenance: string, properties: JsonObject): JsonObject {
  const { description: _, ...original } = $defs[type] ?? {};
  const own = { ...Object(original.properties), provenance: $defs[provenance], ...properties };
  return { ...original, properties: own, $defs };
}

test("a fork of a record type is not taken for an object in one, and only records of its type are replayed", async () => {
  write("ppo.json", untitled("PpoRecord", "PpoProvenance", { extra: { type: "string" } }));
  const { forks, findings } = await drift();
  expect(forks).toMatchObject([{ path: "ppo.json", type: "PpoRecord", records: 1, rejected: 0 }]);
  expect(findings.map(({ id }) => id)).not.toContain("replay");
  expect(findings).toMatchObject([{ message: expect.stringContaining("like PpoRecord,") }]);
});

test("a type that builds on another is told by all its fields", async () => {
  const { properties } = $defs.RolloutBranch ?? {};
  const record = $defs.RolloutBranchRecord ?? {};
  write("branch.json", {
    type: "object",
    properties: { ...Object(properties), ...Object(record.properties) },
    $defs,
  });
  expect((await drift()).forks).toMatchObject([
    { path: "branch.json", type: "RolloutBranchRecord", records: 1, rejected: 0 },
  ]);
});

test.each([
  // What both types have in common.
  ["a tie", ["prompt", "tool_call_sequence", "provenance"]],
  ["a weak likeness", ["prompt"]],
])("of %s, nothing is replayed, and that is said", async (_, names) => {
  const properties = Object($defs.PpoRecord?.properties);
  write("rollout-wire.schema.json", {
    type: "object",
    properties: {
      ...Object.fromEntries(names.map((name) => [name, properties[name]])),
      provenance: { type: "object", properties: { source: {}, rollout_id: {} } },
      nested: $defs.ToolEventData,
    },
    required: ["prompt"],
    $defs,
  });
  const { forks, findings } = await drift();
  expect(forks).toMatchObject([{ path: "rollout-wire.schema.json", records: 0, rejected: 0 }]);
  expect(forks[0]).not.toHaveProperty("type");
  expect(findings).toMatchObject([
    {
      id: "unregistered",
      message: expect.stringContaining("no record replayed on it: its record type is unknown"),
    },
  ]);
});

test("a title that names a type wins over likeness", async () => {
  write("ppo.json", { ...untitled("PpoRecord", "PpoProvenance", {}), title: "DpoRecord" });
  expect((await drift()).forks).toMatchObject([{ type: "DpoRecord", records: 1, rejected: 1 }]);
});
