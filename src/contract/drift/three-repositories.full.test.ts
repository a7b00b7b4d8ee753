import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DriftReport, isDriftReport } from "#generated/index.js";
import { addCases } from "../../../conformance/fixtures/suite.js";
import {
  ALL_PARTS,
  copyRepository,
  type RepositoryCopy,
} from "../../base/testing/copy-repository.js";
import { EXIT } from "../../base/user-error.js";
import { readRegistry } from "../schemas/registry.js";
import { type Bump, parseVersion, printVersion, raiseVersion } from "../schemas/version.js";
import { createConfig, listLayout, writeConfiguration } from "./testing/layouts.js";

const SCHEMA = "schema/rollout-wire.schema.json";
const REGISTRY = "schema/registry.json";
const PIPELINE_SCHEMA = "src/datafactory/rollout-wire.schema.json";
const FIXTURE = "fixtures/data-loop/rollout-branches.v1.jsonl";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-three-"));
const pipeline = join(folder, "trace-pipeline");
const product = join(folder, "bscode");
const REPOSITORIES = ["--repo", `trace-pipeline=${pipeline}`, `bscode=${product}`];

/** Prints the pipeline's view of the records, as JSON. */
const READ_IN_PYTHON = `
import json
import rollout_wire as wire
print(json.dumps({
    "package": wire.__file__,
    "rollouts": [
        [each.branch_index, each.rank, each.objective_score, each.total_score]
        for each in wire.load_rollouts("ranked.jsonl")
    ],
    "dpo": [
        [each.chosen, each.rejected, each.provenance.source, each.provenance.rollout_id,
         [message.role for message in each.prompt_messages]]
        for each in wire.load_dpo_training("dpo.jsonl")
    ],
    "ppo": [
        [each.reward, [message.role for message in each.messages]]
        for each in wire.load_ppo_training("ppo.jsonl")
    ],
}))
`;

let owner: RepositoryCopy;

/** The owner's first version of rollout-wire, and the later ones. */
let versions: { readonly first: string; readonly minor: string; readonly major: string };

function readVersions(): typeof versions {
  const { schemas } = readRegistry(owner.root);
  const { version = "" } = schemas.find(({ name }) => name === "rollout-wire") ?? {};
  const next = (bump: Bump): string => printVersion(raiseVersion(parseVersion(version), bump));
  return { first: version, minor: next("minor"), major: next("major") };
}

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8" });
}

function commit(cwd: string, message: string): void {
  git(cwd, "add", "--all");
  git(cwd, "commit", "--quiet", "-m", message);
}

/** The owner's program, which is built after each change of the generated code. */
function cli(...args: string[]) {
  return runIn(owner.root, ...args);
}

function runIn(cwd: string, ...args: string[]) {
  const argv = [join(owner.root, "dist/bin/main.js"), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: "utf8" });
  return { status, stdout, stderr };
}

function buildOwner(): void {
  execFileSync("npm", ["run", "--silent", "build", "--", "--program", "dist"], { cwd: owner.root });
}

function generate(): void {
  expectDone(owner.run("cli", "generate"));
  buildOwner();
}

/** The result of `drift`: exit code, report, and ids of the findings. */
function drift(...args: string[]) {
  const { status, stdout, stderr } = cli("drift", ...REPOSITORIES, "--format", "json", ...args);
  const report: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  if (!isDriftReport(report)) throw new Error(stderr);
  return { status, report, ids: [...new Set(report.findings.map(({ id }) => id))].sort() };
}

function gradesOf({ copies }: DriftReport, repository: string): string[] {
  const own = copies.filter((copy) => copy.repository === repository);
  return [...new Set(own.map(({ grade }) => grade))].sort();
}

function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
}

function sync(name: string, place: string, ...args: string[]): void {
  const { status, stderr } = cli("sync", "--repo", `${name}=${place}`, ...args);
  expect([status, stderr]).toEqual([EXIT.ok, stderr]);
}

beforeAll(() => {
  owner = copyRepository(ALL_PARTS);
  versions = readVersions();
  writeFileSync(join(owner.root, ".gitignore"), "node_modules\n.venv\ndist\n");
  buildOwner();
  for (const root of [owner.root, pipeline, product]) {
    mkdirSync(root, { recursive: true });
    git(root, "init", "--quiet", "--initial-branch", "main");
    writeFileSync(join(root, "NOTES.md"), "A repository.\n");
    commit(root, "first");
  }
  pin(versions.first);
  // Records of their own, which only happen to equal the owner's.
  for (const root of [pipeline, product]) {
    mkdirSync(dirname(join(root, FIXTURE)), { recursive: true });
    cpSync(join(owner.root, "fixtures/golden/data-loop/input.jsonl"), join(root, FIXTURE));
    commit(root, "records");
  }
});

afterAll(() => {
  owner.remove();
  rmSync(folder, { recursive: true });
});

describe.sequential("an owner, a pipeline and a product", () => {
  test("before the first sync, every copy is missing", () => {
    const { status, report, ids } = drift();
    expect([status, ids]).toEqual([EXIT.findings, ["missing"]]);
    expect(gradesOf(report, "trace-pipeline")).toEqual(["missing"]);
  });

  test("after a sync all copies are identical, seen from the owner and from each repository", () => {
    sync("trace-pipeline", pipeline);
    sync("bscode", product);
    for (const root of [pipeline, product]) commit(root, "copies");
    const { status, report, ids } = drift();
    expect([status, ids]).toEqual([EXIT.ok, []]);
    for (const name of ["trace-pipeline", "bscode"]) {
      expect(gradesOf(report, name)).toEqual(["identical"]);
    }
    expect(driftAlone(pipeline).status).toBe(EXIT.ok);
  });

  test("an edited copy is breaking, also in a commit, and sync does not overwrite it", () => {
    edit(join(pipeline, PIPELINE_SCHEMA), (text) =>
      text.replace(/("rank": \{[^}]*"minimum": )1/, (_, before) => `${before}2`),
    );
    const { status, report } = drift();
    expect(status).toBe(EXIT.findings);
    expect(report.findings).toMatchObject([
      {
        id: "breaking",
        file: join(pipeline, PIPELINE_SCHEMA),
        pointer: "/$defs/RolloutBranchRecord/properties/rank/minimum",
        detail: expect.stringContaining('"rank":1'),
      },
      // Both repositories have records with a branch of rank 1, which the pipeline no longer accepts.
      ...["trace-pipeline", "bscode"].map((name) => ({
        id: "replay",
        file: join(folder, name, FIXTURE),
        pointer: "/rank",
        message: expect.stringContaining("must be >= 2, is 1"),
        detail: "2 of 4 records of this file, for the same reason",
      })),
    ]);
    expect(report.findings[0]?.line).toBeGreaterThan(1);
    // The last commit is unchanged.
    expect(cli("drift", "--repo", `trace-pipeline=${pipeline}#main`).status).toBe(EXIT.ok);
    expect(driftAlone(pipeline)).toMatchObject({ status: EXIT.findings });
    expect(cli("sync", "--repo", `trace-pipeline=${pipeline}`).status).toBe(EXIT.findings);
    sync("trace-pipeline", pipeline, "--force");
    expect(git(pipeline, "status", "--short")).toBe("");
  });

  test("a reformatted copy is a difference, but not a break", () => {
    edit(join(pipeline, PIPELINE_SCHEMA), (text) => JSON.stringify(JSON.parse(text)));
    expect(drift()).toMatchObject({ status: EXIT.findings, ids: ["formatting"] });
    expect(driftAlone(pipeline).status).toBe(EXIT.findings);
    git(pipeline, "checkout", "--quiet", ".");
  });

  test("a renamed fork is found anywhere in the tree", () => {
    const fork = join(product, "tests/dist/types.txt");
    mkdirSync(dirname(fork), { recursive: true });
    const { $id, title, ...document } = JSON.parse(readFileSync(join(owner.root, SCHEMA), "utf8"));
    writeFileSync(fork, JSON.stringify(document));
    const { status, report } = drift();
    expect(status).toBe(EXIT.findings);
    expect(report.findings).toMatchObject([
      { id: "unregistered", file: fork },
      { id: "disagreement", severity: "warning" },
    ]);
    const scan = cli("drift", "--scan", product);
    expect([scan.status, scan.stdout.includes(fork)]).toEqual([EXIT.findings, true]);
    rmSync(fork);
  });

  test("records that one side changed are a disagreement", () => {
    edit(join(product, FIXTURE), (text) => text.replace('"branch_index":1', '"branch_index":2'));
    expect(drift()).toMatchObject({ status: EXIT.ok, ids: ["disagreement"] });
    git(product, "checkout", "--quiet", ".");
  });

  test("the pipeline reads branches and the training records made from them", () => {
    const branch = (index: number, passed: boolean) => ({
      schema_version: "rollout-wire/v1",
      rollout_id: "smoke",
      task: "Fix the build.",
      branch_index: index,
      temperature: 0.2,
      session_id: `smoke-${index}`,
      tool_call_sequence: [],
      final_answer: passed ? "It builds." : "It does not build.",
      build_result: { status: passed ? "pass" : "fail" },
      objective_score: passed ? 1 : 0,
    });
    const at = (name: string): string => join(folder, name);
    writeFileSync(
      at("branches.jsonl"),
      [branch(0, true), branch(1, false)].map((each) => `${JSON.stringify(each)}\n`).join(""),
    );
    expectDone(cli("rank", "--input", at("branches.jsonl"), "--output", at("ranked.jsonl")));
    expectDone(
      cli(
        ...["export", "--input", at("ranked.jsonl"), "--target", "training", "--allow-missing-g3"],
        ...["--output-dpo", at("dpo.jsonl"), "--output-ppo", at("ppo.jsonl")],
      ),
    );
    // With the package that sync copied into the pipeline's own tree.
    const read = spawnSync("python3", ["-c", READ_IN_PYTHON], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PYTHONPATH: join(pipeline, "src") },
    });
    expect(read.stderr).toBe("");
    expect(JSON.parse(read.stdout)).toEqual({
      package: join(pipeline, "src/rollout_wire/__init__.py"),
      rollouts: [
        [0, 1, 1, 1.15],
        [1, 2, 0, 0.15],
      ],
      dpo: [["It builds.", "It does not build.", "wasmagent-rollout", "smoke", ["user"]]],
      // min(1, total score / 1.3): the branch that builds has a higher reward.
      ppo: [
        [expect.closeTo(1.15 / 1.3, 9), ["user", "assistant"]],
        [expect.closeTo(0.15 / 1.3, 9), ["user", "assistant"]],
      ],
    });
  });

  test("an additive change: consumers are reported as behind, and sync updates them", () => {
    changeBranch(({ properties }) => {
      properties.test_label = {
        description: "Name that a person gave the branch.",
        type: "string",
      };
    });
    raise(versions.minor, "`RolloutBranch.test_label`");
    addCases(owner.root, [
      {
        type: "RolloutBranch",
        kind: "invalid",
        value: {
          name: "label-is-a-number",
          why: "A label is text.",
          set: { "/test_label": 1 },
          expect: [{ pointer: "/test_label", keyword: "type" }],
        },
      },
    ]);
    generate();
    expect(cli("check", "--only", "bump-matches-verdict").status).toBe(EXIT.ok);
    expectDone(owner.run("release-schema"));
    commit(owner.root, "an additive change");
    // The locks know the generated types of the first version: all copies match their pins, and are behind.
    expect(drift()).toMatchObject({ status: EXIT.ok, ids: ["behind-latest"] });
    expect(drift("--latest").status).toBe(EXIT.findings);
    pin(versions.minor);
    const { status, report } = drift();
    expect(status).toBe(EXIT.findings);
    const copy = report.copies.find(({ path }) => path === PIPELINE_SCHEMA);
    // A new reader rejects a label that is not text, which the first version did not declare.
    expect(copy).toMatchObject({ version: versions.minor, is: versions.first, grade: "breaking" });
    sync("trace-pipeline", pipeline);
    sync("bscode", product);
    for (const root of [pipeline, product]) commit(root, "an additive change");
    expect(drift("--latest")).toMatchObject({ status: EXIT.ok, ids: [] });
    expect(readFileSync(join(product, "src/rollout-wire.d.ts"), "utf8")).toContain(
      "test_label?: string",
    );
  });

  test("a breaking change: red until every consumer has moved, in the order that sync gives", () => {
    changeBranch(({ required }) => required.push("test_label"));
    const [old, next] = [join(folder, "before.json"), join(folder, "after.json")];
    writeFileSync(old, git(owner.root, "show", `HEAD:${SCHEMA}`));
    writeFileSync(next, readFileSync(join(owner.root, SCHEMA)));
    const compared = cli("diff", old, next);
    expect(compared.status).toBe(EXIT.findings);
    expect(compared.stderr).toMatch(/^bump: major\. .*trace-pipeline, bscode, .*wasmagent-js/);
    expect(cli("check", "--only", "bump-matches-verdict").status).toBe(EXIT.findings);
    raise(versions.major, "`RolloutBranch.test_label`");
    generate();
    // Repositories that match their pins stay green: the new version does not affect the old one.
    expect(drift()).toMatchObject({ status: EXIT.ok, ids: ["behind-latest"] });
    pin(versions.major);
    expect(gradesOf(drift().report, "trace-pipeline")).toContain("breaking");
    const moved = cli("sync", "--repo", `trace-pipeline=${pipeline}`);
    expect(moved.status).toBe(EXIT.ok);
    expect(moved.stderr).toMatch(/consumers|readers/i);
    const half = drift();
    expect([half.status, gradesOf(half.report, "trace-pipeline")]).toEqual([
      EXIT.findings,
      // Its fixture was written for the old version, as was the owner's.
      ["identical"],
    ]);
    expect(gradesOf(half.report, "bscode")).toContain("changed");
    sync("bscode", product);
    expect(gradesOf(drift().report, "bscode")).toEqual(["identical"]);
  });
});

function writeJson(file: string, value: unknown): void {
  writeFileSync(join(owner.root, file), `${JSON.stringify(value, null, 2)}\n`);
}

interface EditableType {
  readonly properties: Record<string, unknown>;
  readonly required: string[];
}

/** Changes the type RolloutBranch in the owner's schema. */
function changeBranch(edit: (type: EditableType) => void): void {
  const schema = JSON.parse(readFileSync(join(owner.root, SCHEMA), "utf8"));
  edit(schema.$defs.RolloutBranch);
  writeJson(SCHEMA, schema);
}

/** Sets the version of the owner's schema, and adds a changelog entry. */
function raise(version: string, changed: string): void {
  editRegistry(({ schemas }) => {
    for (const entry of schemas) if (entry.name === "rollout-wire") entry.version = version;
  });
  owner.edit("CHANGELOG.md", (text) => `${text}- \`rollout-wire\` ${version}: ${changed}.\n`);
}

/**
 * Pins all copies of the repositories at a version, in their configurations. Their records stay of the first. The types of
 * traces, which those of rollouts import, are there already.
 */
function pin(version: string): void {
  const traces = "rollout-trace.d.ts";
  mkdirSync(join(product, "src"), { recursive: true });
  cpSync(join(owner.root, "generated/typescript", traces), join(product, "src", traces));
  for (const root of [pipeline, product]) {
    const name = basename(root);
    const artefacts = listLayout(name, version).filter(({ kind }) => kind !== "fixture");
    const fixtures = [{ schema: "rollout-wire", version: versions.first, path: FIXTURE }];
    writeConfiguration(root, createConfig(name, artefacts, { fixtures }));
  }
}

interface EditableRegistry {
  readonly schemas: { readonly name: string; version: string }[];
}

function editRegistry(edit: (registry: EditableRegistry) => void): void {
  const registry = JSON.parse(readFileSync(join(owner.root, REGISTRY), "utf8"));
  edit(registry);
  writeJson(REGISTRY, registry);
}

function expectDone({ status, stdout, stderr }: ReturnType<RepositoryCopy["run"]>): void {
  expect([status, stdout + stderr]).toEqual([0, stdout + stderr]);
}

/** Runs `drift` in a repository's own folder, with its lock only. */
function driftAlone(cwd: string) {
  return runIn(cwd, "drift");
}
