import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bumpMatchesVerdict } from "../conformance/checks/bump-matches-verdict.js";
import { registryHashes } from "../conformance/checks/registry-hashes.js";
import { releasedImmutable } from "../conformance/checks/released-immutable.js";
import { addCases } from "../conformance/fixtures/suite.js";
import { runChecks } from "../conformance/run.js";
import {
  copySchemas,
  duplicateCopy,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { run as cli } from "./cli.js";
import { run } from "./release-schema.js";
import { runInProcess } from "./testing/run-in-process.js";

const REGISTRY = "schema/registry.json";
const SCHEMA = "schema/adapter-protocol.schema.json";
const RELEASED = "schema/released/adapter-protocol/v1.1.schema.json";
const SUMS = "schema/released/SHA256SUMS";
const APPROVALS = "schema/approvals.json";
const CHANGELOG = "CHANGELOG.md";

/** The parts of the repository that releasing a schema reads. */
const PARTS = [
  "CHANGELOG.md",
  ...["AdapterRequest", "AdapterSummary", "AdapterVerdict"].map(
    (type) => `fixtures/suites/${type}.json`,
  ),
];

/** A repository with few schemas and fresh code, which each test copies. */
let fresh: RepositoryCopy;
let copy: RepositoryCopy;
beforeAll(async () => {
  fresh = copySchemas(["adapter-protocol"], PARTS);
  // Code for the other schemas would not compile here.
  const compilerOptions = {
    strict: true,
    module: "nodenext",
    target: "es2023",
    skipLibCheck: true,
  };
  const config = { compilerOptions, include: ["generated/typescript"] };
  writeFileSync(join(fresh.root, "tsconfig.json"), JSON.stringify(config));
  expect((await runInProcess(cli, ["generate"], { root: fresh.root })).status).toBe(0);
});
afterAll(() => fresh.remove());
beforeEach(() => {
  copy = duplicateCopy(fresh);
});
afterEach(() => copy.remove());

const release = (...flags: string[]) => runInProcess(run, flags, { root: copy.root });

const read = (file: string): string => readFileSync(join(copy.root, file), "utf8");

function write(file: string, content: unknown): void {
  writeFileSync(join(copy.root, file), `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Adds an optional field to the type AdapterCount, and regenerates the code. */
async function addField(): Promise<void> {
  copy.edit(SCHEMA, (text) =>
    text.replace(
      '"AdapterCount": {\n      "description": "How much an adapter did.",\n      "type": "object",\n      "properties": {',
      '$&\n        "seconds": { "description": "Time it took. Seconds from 0.", "type": "number", "minimum": 0 },',
    ),
  );
  expect((await runInProcess(cli, ["generate"], { root: copy.root })).status).toBe(0);
}

/** The schema is the first one in the registry. */
function raise(version: string): void {
  copy.edit(REGISTRY, (text) => text.replace('"version": "1.0.0"', `"version": "${version}"`));
}

function addFixtures(): void {
  addCases(copy.root, [
    {
      type: "AdapterSummary",
      kind: "invalid",
      value: {
        name: "negative-seconds",
        why: "A negative time is none.",
        set: { "/summary/seconds": -1 },
        expect: [{ pointer: "/summary/seconds", keyword: "minimum" }],
      },
    },
  ]);
}

/** The findings of the checks that examine published versions. */
async function findFaults(): Promise<unknown[]> {
  const results = await runChecks(
    [registryHashes, releasedImmutable, bumpMatchesVerdict],
    copy.root,
  );
  return results.flatMap(({ findings }) => findings);
}

/** The current texts of the files that a release may change. */
function snapshot(): string[] {
  return [REGISTRY, SUMS, APPROVALS, CHANGELOG].map(read);
}

test("unchanged schemas are not published", async () => {
  const { status, stdout } = await release();
  expect([status, stdout]).toEqual([
    0,
    "nothing to publish: every schema is what was last published\n",
  ]);
});

test("a change is published once it is complete, and all missing parts are reported at once", async () => {
  await addField();
  const before = snapshot();
  const first = await release();
  expect(first.status).toBe(1);
  const [title] = first.stdout.split("\n");
  expect(title).toBe(`adapter-protocol 1.1.0 (minor after 1.0.0): ${RELEASED}`);
  const missing = first.stdout.split("\n").filter((line) => /^\S+:\d+:\d+ /.test(line));
  expect(missing).toEqual([
    expect.stringMatching(
      /^schema\/registry\.json:\d+:\d+ {2}\/schemas\/0\/version {2}is 1\.0\.0, but .* is minor: use 1\.1\.0 or 2\.0\.0, .*\(version\)$/,
    ),
    expect.stringMatching(
      /^schema\/adapter-protocol\.schema\.json:\d+:\d+ {2}\/\$defs\/AdapterCount {2}has changed since .*\(fixtures-show-change\)$/,
    ),
  ]);
  expect(first.stdout).toMatch(/\nnothing written: 2 things to do first\n$/);

  raise("1.1.0");
  expect((await runInProcess(cli, ["generate"], { root: copy.root })).status).toBe(0);
  before[0] = read(REGISTRY);
  addFixtures();
  const dry = await release("--dry-run");
  expect([dry.status, dry.stdout]).toEqual([
    0,
    expect.stringMatching(
      `\nwould write\n  ${RELEASED}\n  ${REGISTRY}\n  ${CHANGELOG}\n  ${SUMS}\n$`,
    ),
  ]);
  expect(existsSync(join(copy.root, RELEASED))).toBe(false);
  expect(snapshot()).toEqual(before);

  const { status, stdout } = await release();
  expect([status, stdout]).toEqual([0, dry.stdout.replace("would write", "written")]);
  expect(read(RELEASED)).toBe(read(SCHEMA));
  expect(read(SUMS)).toContain("  adapter-protocol/v1.1.schema.json\n");
  expect(read(REGISTRY)).toContain(`v1.schema.json",\n        "${RELEASED}"\n`);
  expect(read(CHANGELOG)).toMatch(/^- `adapter-protocol` 1\.1\.0: `AdapterCount\.seconds`\. /m);
  expect(await findFaults()).toEqual([]);
  expect((await release()).stdout).toMatch(/^nothing to publish/);
});

test("an approved break is published, and its approval is removed", async () => {
  const alone = {
    name: "verdict-alone",
    why: "It tells no faults.",
    record: { id: 7, valid: false },
  };
  addCases(copy.root, [{ type: "AdapterVerdict", kind: "valid", value: alone }]);
  copy.edit(SCHEMA, (text) =>
    text.replace('"required": ["id", "valid"]', '"required": ["id", "valid", "errors"]'),
  );
  raise("1.1.0");
  expect((await runInProcess(cli, ["generate"], { root: copy.root })).status).toBe(0);
  const { stdout } = await release();
  const [, fingerprint = ""] = /by declared-writer, fingerprint ([0-9a-f]{16})/.exec(stdout) ?? [];
  const approval = { fingerprint, owner: "o", reason: "r", expires: "9999-12-31" };
  write(APPROVALS, { approvals: [approval] });
  expect((await release()).status).toBe(0);
  expect(JSON.parse(read(APPROVALS))).toEqual({ approvals: [] });
  expect(await findFaults()).toEqual([]);
});

describe("nothing is published", () => {
  test("from code that was not generated from the schemas", async () => {
    copy.edit(SCHEMA, (text) => text.replace("How much an adapter did.", "How much it did."));
    raise("1.0.1");
    const { status, stdout } = await release();
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /\ngenerated\/.*: npm run generate {3}\(generated-fresh\)\nnothing written/,
    );
  });

  test("beside a modified published version", async () => {
    const touched = "schema/released/adapter-protocol/v1.schema.json";
    copy.edit(touched, (text) => `${text} `);
    const { status, stdout } = await release();
    expect([status, stdout]).toEqual([
      1,
      `${touched}:1:1  was published and has changed since: restore it, and publish a new version   (released-changed)\nnothing written: 1 thing to do first\n`,
    ]);
  });

  test("of a schema that the generator rejects, whatever else is missing", async () => {
    copy.edit(SCHEMA, (text) => text.replace('"minimum": 0', '"pattern": "^(a+)+$"'));
    raise("2.0.0");
    copy.edit(CHANGELOG, (text) => text.replace("(unreleased)", "(2026-01-01)"));
    const { status, stdout } = await release();
    expect(status).toBe(1);
    for (const id of ["version-id", "changelog-entry", "migration-note", "backtracking"]) {
      expect(stdout).toContain(`   (${id})\n`);
    }
  });
});
