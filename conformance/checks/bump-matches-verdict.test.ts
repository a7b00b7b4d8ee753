import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { runChecks } from "../run.js";
import { Workspace } from "../workspace.js";
import { bumpMatchesVerdict } from "./bump-matches-verdict.js";
import { useCopy } from "./testing/use-copy.js";

const REGISTRY = "schema/registry.json";
const SCHEMA = "schema/rollout-trace.schema.json";
const APPROVALS = "schema/approvals.json";
/** Pointer to the entry of rollout-trace. */
const ENTRY = `/schemas/${readRegistry(packageRoot()).schemas.findIndex(({ file }) => file === SCHEMA)}`;

const { copy, find } = useCopy(bumpMatchesVerdict, ["schema"]);

/** Makes an optional field required. */
function breakSchema(): void {
  copy.edit(SCHEMA, (text) =>
    text.replace('"type": "object",', '"type": "object",\n      "required": ["prompt"],'),
  );
}

/** The fingerprints that the check prints. */
async function fingerprints(): Promise<string[]> {
  const details = (await find()).map(({ detail }) => detail ?? "").join("\n");
  return [...details.matchAll(/fingerprint ([0-9a-f]{16})/g)].map(([, text = ""]) => text);
}

function approve(fingerprints: readonly string[], expires: string): void {
  const approvals = fingerprints.map((fingerprint) => {
    return { fingerprint, owner: "wasmagent-js", reason: "Nobody else writes it yet.", expires };
  });
  writeFileSync(join(copy.root, APPROVALS), JSON.stringify({ approvals }));
}

/** Changes how the schema names its version. */
function raise(version: string): void {
  const present = /("name": "rollout-trace",\s*"version": ")[^"]*/;
  copy.edit(REGISTRY, (text) => text.replace(present, `$1${version}`));
}

test("making a field required is a major change, with a record as proof", async () => {
  breakSchema();
  expect(await find()).toMatchObject([
    {
      id: "version",
      file: REGISTRY,
      line: expect.any(Number),
      pointer: `${ENTRY}/version`,
      message: expect.stringContaining("is major: use 2.0.0"),
      detail: expect.stringMatching(
        /^R1 RolloutTraceStep \/prompt is required now: breaks backward .*\n {2}by declared-writer, fingerprint [0-9a-f]{16}\n/,
      ),
    },
  ]);
  raise("1.1.0");
  expect(await find()).toMatchObject([{ id: "version" }]);
});

test("an approval counts until it expires", async () => {
  breakSchema();
  raise("1.1.0");
  const found = await fingerprints();
  approve(found, "2027-01-31");
  const run = (today: string) => bumpMatchesVerdict.run(new Workspace(copy.root), { today });
  expect(await run("2027-01-31")).toMatchObject({
    checked: [{ thing: "schema" }, { count: 1, thing: "approved break" }],
    findings: [],
  });
  const late = await run("2027-02-01");
  expect(late.findings.map(({ id, file, pointer }) => [id, file, pointer])).toEqual([
    ["version", REGISTRY, `${ENTRY}/version`],
    ["expired-approval", APPROVALS, "/approvals/0/expires"],
  ]);
  // Without a given date, today's counts; this approval never expires.
  approve(found, "9999-12-31");
  expect(await find()).toEqual([]);
});

test("an approval of a break that does not exist", async () => {
  approve(["0123456789abcdef"], "9999-12-31");
  expect(await find()).toMatchObject([
    { id: "unused-approval", file: APPROVALS, pointer: "/approvals/0/fingerprint" },
  ]);
});

test("a missing published version", async () => {
  rmSync(join(copy.root, "schema/released/rollout-trace/v1.schema.json"));
  const [result] = await runChecks([bumpMatchesVerdict], copy.root);
  expect(result?.findings).toMatchObject([
    { id: "not-run", message: expect.stringContaining("rollout-trace/v1.schema.json") },
  ]);
});

test("a schema of tier tool changes at will, and alone is not enough", async () => {
  copy.edit("schema/adapter-protocol.schema.json", (text) =>
    text.replace('"required": ["id", "valid"]', '"required": ["id"]'),
  );
  expect(await find()).toEqual([]);
  copy.edit(REGISTRY, (text) => {
    const { schemas, ...rest } = JSON.parse(text);
    const tools = schemas.map((entry: object) => ({ ...entry, tier: "tool" }));
    return JSON.stringify({ schemas: tools, ...rest });
  });
  expect(await find()).toMatchObject([{ id: "nothing-checked", message: "examined no schema" }]);
});
