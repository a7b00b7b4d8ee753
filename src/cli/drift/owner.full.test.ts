import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type DriftReport, isDriftReport, isInitReport } from "#generated/index.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
const HOST = "https://protocol.example/schemas";

/** An envelope that the others refer to by its file name. */
const BASE = {
  $schema: DRAFT,
  $id: `${HOST}/base.schema.json`,
  title: "Envelope",
  type: "object",
  properties: { trace_id: { type: "string", minLength: 1 }, created_at_ms: { type: "integer" } },
  required: ["trace_id"],
};

/** One object at the root, with a reference across files and one to its own definition. */
const EVENT = {
  $schema: DRAFT,
  $id: `${HOST}/event.schema.json`,
  title: "AuditEvent",
  allOf: [{ $ref: "base.schema.json" }],
  type: "object",
  properties: {
    trace_id: { type: "string" },
    actor: { type: "string" },
    verb: { $ref: "#/$defs/Verb" },
    target: { type: "string" },
    outcome: { enum: ["allowed", "denied"] },
    reason: { type: "string" },
  },
  required: ["trace_id", "actor", "verb", "outcome"],
  $defs: { Verb: { enum: ["read", "write"] } },
};

/** Definitions only. */
const PARTS = {
  $schema: DRAFT,
  $id: `${HOST}/parts.schema.json`,
  $defs: {
    Budget: {
      type: "object",
      properties: {
        tokens: { type: "integer" },
        spent: { type: "integer" },
        owner: { type: "string" },
      },
      required: ["tokens", "spent"],
    },
  },
};

const entry = (name: string, version: string, title: string) => ({
  id: name,
  title,
  path: `schemas/${name}.schema.json`,
  canonical_id: `${HOST}/${name}.schema.json`,
  version,
  stability: "evolving",
  owners: ["protocol"],
  consumers: ["pipeline"],
});

const INDEX = {
  protocol: "AUDIT",
  schemas: [
    entry("base", "base/v0.1", "Envelope"),
    entry("event", "audit/v0.3", "AuditEvent"),
    entry("parts", "parts/v0.1", "Parts"),
  ],
};

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 1));
}

beforeEach(() => {
  for (const name of ["protocol", "pipeline"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
  write("protocol/schemas/index.json", INDEX);
  write("protocol/schemas/base.schema.json", BASE);
  write("protocol/schemas/event.schema.json", EVENT);
  write("protocol/schemas/parts.schema.json", PARTS);
  write("pipeline/readme.md", "# Pipeline\n");
});

const runIn = (name: string, ...argv: string[]) =>
  folder.run(argv, { cwd: join(folder.path, name) });

async function drift(...argv: string[]): Promise<{ exitCode: number; report: DriftReport }> {
  const { exitCode, stdout, stderr } = await runIn(
    "protocol",
    "drift",
    ...argv,
    "--format",
    "json",
  );
  const report: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error(stderr);
  return { exitCode, report };
}

const idsOf = ({ findings }: DriftReport): string[] =>
  findings.map(({ id, file }) => `${id} ${file}`);

const THERE = ["--repo", "pipeline=../pipeline"];

describe("the owner of a registry in its own form", () => {
  test("is found by init, and its schemas are no forks of themselves", async () => {
    const { exitCode, stdout } = await runIn("protocol", "init", "--write");
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      expect.stringContaining(
        "schemas/index.json  3 schemas, of which this repository is the owner",
      ),
    ]);
    const { exitCode: after, report } = await drift();
    expect([after, report.findings, report.forks]).toEqual([EXIT.ok, [], []]);
  });

  test("without a schema that it owns, is red like any other", async () => {
    const { exitCode, report } = await drift();
    expect([exitCode, idsOf(report)]).toEqual([
      EXIT.findings,
      ["nothing-checked .", "nothing-checked ."],
    ]);
  });
});

describe("with the owner's configuration", () => {
  beforeEach(async () => {
    await runIn("protocol", "init", "--write");
  });

  test("forks of every kind of schema are found in another repository, and compared", async () => {
    const { $id: _, allOf: __, ...own } = EVENT;
    write("pipeline/models/event.json", { ...own, required: [...own.required, "reason"] });
    write("pipeline/models/parts.schema.json", { ...PARTS, $id: "x" });
    write("pipeline/models/base.json", BASE);
    const { exitCode, report } = await drift(...THERE);
    expect(exitCode).toBe(EXIT.findings);
    expect(
      report.forks.map(({ path, schema, version, grade }) => [path, schema, version, grade]),
    ).toEqual([
      ["models/base.json", "base", "0.1.0", "identical"],
      ["models/event.json", "event", "0.3.0", "breaking"],
      ["models/parts.schema.json", "parts", "0.1.0", "compatible"],
    ]);
    expect(report.findings[1]?.detail).toContain("/reason is required now  (required-added)");
  });

  test("drift --scan finds them too", async () => {
    write("pipeline/models/event.json", EVENT);
    const { exitCode, report } = await drift("--scan", "../pipeline");
    expect([exitCode, idsOf(report)]).toEqual([
      EXIT.findings,
      ["unregistered ../pipeline/models/event.json"],
    ]);
  });

  test("records are recognised and replayed, on the original and on the fork", async () => {
    const record = { trace_id: "t", actor: "a", verb: "read", target: "x", outcome: "allowed" };
    write(
      "pipeline/log.jsonl",
      `${JSON.stringify(record)}\n${JSON.stringify({ ...record, trace_id: "" })}\n`,
    );
    const { Verb } = EVENT.$defs;
    write("pipeline/event.json", { ...EVENT, $defs: { Verb: { ...Verb, enum: ["write"] } } });
    const { report } = await drift(...THERE);
    expect(report.findings).toMatchObject(
      [
        {
          id: "replay",
          line: 1,
          pointer: "/verb",
          message: /^is accepted by event 0\.3\.0, but rejected by \.\.\/pipeline\/event\.json: /,
        },
        { id: "replay", line: 2, pointer: "/trace_id" },
        { id: "unregistered" },
      ].map(({ message, ...rest }) => ({
        ...rest,
        ...(message && { message: expect.stringMatching(message) }),
      })),
    );
    expect(report.forks).toMatchObject([{ records: 2, rejected: 2 }]);
  });

  test("a consumer names the registry, syncs one schema, and its configuration is checked against it", async () => {
    const registry = ["--registry", "../protocol/schemas/index.json"];
    write("pipeline/schemas/event.schema.json", { ...EVENT, title: "Ours" });
    const { stdout } = await runIn("pipeline", "init", "--write", "--format", "json", ...registry);
    const report: unknown = JSON.parse(stdout);
    if (!isInitReport(report)) throw new Error(stdout);
    expect(report.config.artefacts).toMatchObject([
      { kind: "schema", schema: "event", version: "0.3.0", path: "schemas/event.schema.json" },
    ]);
    const synced = await runIn("pipeline", "sync", "--force", ...registry);
    expect(synced.stdout).toContain("overwrite  schemas/event.schema.json  event 0.3.0");
    expect((await runIn("pipeline", "drift", ...registry)).exitCode).toBe(EXIT.ok);
    // Without the registry, this package's is meant, which has no such schema.
    const other = await runIn("pipeline", "drift");
    expect([other.exitCode, other.stdout]).toEqual([
      EXIT.unreadable,
      expect.stringContaining("/artefacts/0/schema  is not a schema of the registry"),
    ]);
  });
});

describe("a registry with faults: the others are still checked, and the exit code says it", () => {
  test.each<[string, () => void, string, RegExp]>([
    [
      "lists a missing file",
      () => rmSync(join(folder.path, "protocol/schemas/parts.schema.json")),
      "/schemas/2",
      /^schemas\/parts\.schema\.json: no such file$/,
    ],
    [
      "lists a file that is not JSON",
      () => write("protocol/schemas/parts.schema.json", "{\n"),
      "/schemas/2",
      /^schemas\/parts\.schema\.json:2:1 is not JSON: /,
    ],
    [
      "lists a file that is no schema",
      () => write("protocol/schemas/parts.schema.json", { type: "strng" }),
      "/schemas/2",
      /^schemas\/parts\.schema\.json /,
    ],
    [
      "has an entry without a path",
      () => write("protocol/schemas/index.json", { schemas: [...INDEX.schemas, { id: "x" }, 7] }),
      "/schemas/3",
      /^has no path of its file$/,
    ],
    [
      "lists a file outside of the repository",
      () =>
        write("protocol/schemas/index.json", {
          schemas: [...INDEX.schemas, { ...entry("x", "v1", "X"), path: "../x.json" }],
        }),
      "/schemas/3",
      /^\.\.\/x\.json: leads out of the repository$/,
    ],
  ])("%s", async (_, damage, pointer, message) => {
    await runIn("protocol", "init", "--write");
    damage();
    write("pipeline/event.json", { ...EVENT, title: "Ours" });
    const { exitCode, report } = await drift(...THERE);
    expect([exitCode, [...new Set(idsOf(report))]]).toEqual([
      EXIT.unreadable,
      ["registry schemas/index.json", "unregistered ../pipeline/event.json"],
    ]);
    expect(report.findings[0]).toMatchObject({ pointer, message: expect.stringMatching(message) });
  });

  test("a cycle across files ends", async () => {
    write("protocol/schemas/base.schema.json", {
      ...BASE,
      properties: { of: { $ref: "event.schema.json" } },
    });
    await runIn("protocol", "init", "--write");
    write("pipeline/event.json", { ...EVENT, title: "Ours" });
    const { report } = await drift(...THERE);
    expect(report.forks).toMatchObject([{ schema: "event", grade: "documentation" }]);
  });
});
