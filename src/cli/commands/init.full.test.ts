import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Config, type InitReport, isConfig, isInitReport } from "#generated/index.js";
import { createFrozenRepository } from "../../../conformance/registry/testing/frozen-repository.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { Canonical } from "../../contract/drift/canonical.js";
import {
  createReplica,
  FORK,
  PPO,
  RECORDS,
  readWire,
} from "../../contract/drift/testing/replica.js";

const frozen = createFrozenRepository();
const folder = createTestFolder();
afterAll(() => {
  folder.remove();
  frozen.remove();
});

const CONFIG = "rollout-wire.config.json";
const REGISTRY = ["--registry", join(frozen.root, "schema/registry.json")];

const BRANCH = {
  rollout_id: "r",
  task: "Fix the build.",
  branch_index: 0,
  temperature: 0.5,
  session_id: "s",
  tool_call_sequence: [],
  final_answer: "Done.",
  objective_score: 1,
  rank: 1,
  total_score: 1.15,
};

beforeEach(() => {
  createReplica(folder.path);
  for (const name of ["runtime", "pipeline", "product"]) {
    execFileSync("git", ["init", "--quiet"], { cwd: join(folder.path, name) });
  }
});

function runIn(name: string, ...argv: string[]) {
  return folder.run([...argv, ...REGISTRY], { cwd: join(folder.path, name) });
}

async function survey(name: string, ...argv: string[]): Promise<InitReport> {
  const { stdout, stderr } = await runIn(name, "init", "--format", "json", ...argv);
  const report: unknown = JSON.parse(stdout);
  if (!isInitReport(report)) throw new Error(stderr);
  return report;
}

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  const isText = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(file, isText ? content : JSON.stringify(content));
}

function readConfig(name: string): Config {
  const config: unknown = JSON.parse(readFileSync(join(folder.path, name, CONFIG), "utf8"));
  if (!isConfig(config)) throw new Error("the configuration is invalid");
  return config;
}

describe("what is found", () => {
  test("in the pipeline: a fork, a record type, types by hand and a fixture", async () => {
    const { found, checked } = await survey("pipeline");
    expect(checked).toBe(7);
    expect(found).toEqual([
      {
        kind: "schema",
        path: PPO,
        schema: "training-record",
        version: "1.0.0",
        types: [{ name: "PpoTrainingRecord" }],
        grade: "breaking",
        similarity: expect.any(Number),
        difference: "accepts records that are invalid",
      },
      {
        kind: "schema",
        path: FORK,
        schema: "rollout-wire",
        version: "1.0.0",
        source: "schema/rollout-wire.schema.json",
        types: [],
        grade: "breaking",
        similarity: expect.any(Number),
        difference: "rejects records that are valid",
      },
      {
        kind: "types",
        path: "src/datafactory/records.py",
        schema: "training-record",
        version: "1.0.0",
        types: [
          {
            name: "PpoTrainingRecord",
            shared: 2,
            missing: ["loss_weight_tokens", "provenance"],
            other: ["loss_weight"],
          },
        ],
      },
      {
        kind: "fixture",
        path: RECORDS,
        schema: "rollout-wire",
        version: "1.0.0",
        types: [{ name: "RolloutBranchRecord", records: 3, invalid: 0 }],
      },
    ]);
  });

  test("in the runtime: a union of files, compared type by type, but nothing that git ignores", async () => {
    const { found } = await survey("runtime");
    expect(found.map(({ path, grade }) => [path, grade])).toEqual([
      ["schemas/_base.schema.json", "compatible"],
      ["schemas/dpo-record.schema.json", "compatible"],
      ["schemas/ppo-record.schema.json", "compatible"],
      ["schemas/rollout-branch-record.schema.json", "compatible"],
      ["schemas/rollout-wire.schema.json", "breaking"],
      ["packages/core/src/ranking/types.ts", undefined],
      [RECORDS, undefined],
    ]);
    expect(found[5]?.types).toEqual([
      expect.objectContaining({ name: "RolloutBranchRecord", shared: 10, other: ["verdict"] }),
    ]);
  });

  test("a file of definitions, with the names of those that differ", async () => {
    const { $defs } = readWire();
    const task = { ...$defs.ToolEvent, required: ["event"] };
    write("product/shared.json", { $defs: { ...$defs, ToolEvent: task } });
    const [shared] = (await survey("product")).found;
    expect([shared?.grade, shared?.difference]).toEqual([
      "breaking",
      expect.stringMatching(/^has \d+ definitions of it, but not the same .*\bToolEvent\b/),
    ]);
  });

  test("copies of generated code, by their bytes or their header", async () => {
    const python = "generated/python/rollout_wire";
    execFileSync("cp", ["-r", join(frozen.root, python), join(folder.path, "product/wire")]);
    const types = join(frozen.root, "generated/typescript/rollout-wire.d.ts");
    write("product/types.d.ts", "");
    write("product/src/rollout-wire.d.ts", `${readFileSync(types, "utf8")}export {};\n`);
    const { found, config } = await survey("product");
    expect(found.slice(0, 2)).toMatchObject([
      {
        kind: "generated",
        path: "src/rollout-wire.d.ts",
        source: "generated/typescript/rollout-wire.d.ts",
        grade: "changed",
      },
      { kind: "generated", path: "wire", source: python, grade: "identical" },
    ]);
    expect(config.artefacts.map(({ kind, path }) => [kind, path])).toEqual([
      ["generated", "src/rollout-wire.d.ts"],
      ["generated", "wire"],
    ]);
  });

  test("a copy of the canonical fixture is a copy, other records are the repository's own", async () => {
    const source = "fixtures/golden/data-loop/input.jsonl";
    write("product/a.jsonl", readFileSync(join(frozen.root, source), "utf8"));
    write("product/b.jsonl", '{"a": 1}\n{"task": "t"}\n');
    const { config } = await survey("product");
    expect(config.artefacts).toMatchObject([{ kind: "fixture", source, path: "a.jsonl" }]);
    expect(config.fixtures).toMatchObject([{ path: RECORDS }]);
  });

  test("the closest version, not the newest", async () => {
    const presentVersion = new Canonical(packageRoot()).presentVersion("rollout-wire");
    const newest = readFileSync(join(packageRoot(), "schema/rollout-wire.schema.json"), "utf8");
    write("product/old.json", readWire());
    write("product/new.json", newest);
    const { stdout } = await folder.run(["init", "product", "--format", "json"]);
    const { found }: InitReport = JSON.parse(stdout);
    expect(found.slice(0, 2).map(({ path, version, grade }) => [path, version, grade])).toEqual([
      ["new.json", presentVersion, "identical"],
      ["old.json", expect.stringMatching(/^1\.0\.[01]$/), expect.any(String)],
    ]);
  });
});

describe("how close it is", () => {
  test("to the version with the same bytes, even if a later one has the same contract", async () => {
    const old = readFileSync("schema/released/rollout-wire/v1.schema.json", "utf8");
    write("product/old.json", old);
    write("product/mark.json", `\ufeff${old}`);
    write("product/utf16.json", Buffer.from(`\ufeff${old}`, "utf16le"));
    const { stdout } = await folder.run(["init", "product", "--format", "json"]);
    const { found }: InitReport = JSON.parse(stdout);
    expect(found.slice(0, 3)).toMatchObject([
      { path: "mark.json", version: "1.0.0", grade: "formatting", similarity: 1 },
      { path: "old.json", version: "1.0.0", grade: "identical", similarity: 1 },
      { path: "utf16.json", version: "1.0.0", grade: "formatting", similarity: 1 },
    ]);
  });

  test("a single record behind a byte-order mark is a fixture", async () => {
    write("product/one.jsonl", `\ufeff${JSON.stringify(BRANCH)}\r\n`);
    const { config } = await survey("product");
    expect(config.fixtures?.map(({ path }) => path)).toContain("one.jsonl");
  });
});

describe("the configuration", () => {
  test("leaves out what it cannot name, with a warning, and is valid", async () => {
    write("product/my schemas/ä.json", readWire());
    write("product/\u009b/b.jsonl", JSON.stringify(BRANCH));
    const { exitCode, stdout } = await runIn("product", "init", "--write");
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      expect.stringMatching(/my schemas\/ä\.json:1:1 .*is left out/),
    ]);
    expect(stdout).not.toContain("\u009b");
    expect(stdout).toMatch(/b\.jsonl:1:1 .*\(not-listed\)/);
    const { artefacts, fixtures } = readConfig("product");
    expect([artefacts, fixtures?.map(({ path }) => path)]).toEqual([[], [RECORDS]]);
    expect((await runIn("product", "drift")).exitCode).toBe(EXIT.findings);
  });

  test("may list nothing, with a warning: then drift is green if the baseline accepts the forks", async () => {
    write("types/ppo.json", JSON.parse(readFileSync(join(folder.path, "pipeline", PPO), "utf8")));
    const { exitCode, stdout } = await runIn("types", "init", "--write");
    expect([exitCode, stdout]).toEqual([EXIT.ok, expect.stringContaining("(nothing-listed)")]);
    expect((await runIn("types", "drift")).stdout).toContain("(unregistered)");
    expect((await runIn("types", "drift", "--accept", "ours")).exitCode).toBe(EXIT.ok);
    expect((await runIn("types", "drift")).exitCode).toBe(EXIT.ok);
  });

  test.each([
    ["git@github.com:wire.git", "wire"],
    ["https://git.example/team/wire.git/", "wire"],
    ["git@host:team/-.wire", "wire"],
  ])("has the name of the remote %s", async (url, name) => {
    execFileSync("git", ["remote", "add", "origin", url], { cwd: join(folder.path, "product") });
    expect((await survey("product")).config.repository).toBe(name);
  });

  test("is not proposed for a folder that git ignores", async () => {
    write("product/build/.gitignore", "*\n");
    write("product/build/wire.json", readWire());
    const { exitCode, stdout } = await runIn("product/build", "init");
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("has no files that git does not ignore"),
    ]);
  });

  test("is only printed without --write", async () => {
    const { exitCode, stdout, stderr } = await runIn("pipeline", "init");
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toMatch(/^schemas\n {2}schemas\/ppo\.json +PpoTrainingRecord of .* breaking/);
    expect(JSON.parse(stdout.slice(stdout.indexOf("\n{")))).toMatchObject({
      repository: "pipeline",
      artefacts: [{ path: FORK, version: "1.0.0" }],
      fixtures: [{ path: RECORDS }],
      baseline: [],
    });
    expect(stderr).toMatch(/^7 files searched, .*; nothing is written: --write writes /);
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/consumers.md"), "utf8");
    expect(guide).toContain(`\`\`\`\n${stdout.slice(0, stdout.indexOf("\n{"))}\`\`\`\n`);
    expect(existsSync(join(folder.path, "pipeline", CONFIG))).toBe(false);
  });

  test("is written with --write, under the name of the git remote", async () => {
    const cwd = join(folder.path, "pipeline");
    const url = "https://git.example/team/trace-pipeline.git";
    execFileSync("git", ["remote", "add", "origin", url], { cwd });
    const { exitCode, stderr } = await runIn("pipeline", "init", "--write");
    expect([exitCode, readConfig("pipeline").repository]).toEqual([EXIT.ok, "trace-pipeline"]);
    expect(stderr).toContain(`${CONFIG} is written\nNext:\n  1. see what differs:  rollout-wire`);
  });

  test("is not overwritten", async () => {
    write(`pipeline/${CONFIG}`, "{}");
    const { exitCode, stdout, stderr } = await runIn("pipeline", "init", "--write");
    expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toMatch(/^rollout-wire\.config\.json: exists already: edit it, or remove it/);
  });

  test("is not written for a repository without anything like it", async () => {
    mkdirSync(join(folder.path, "empty"), { recursive: true });
    write("empty/readme.md", "# Nothing\n");
    const { exitCode, stdout } = await runIn("empty", "init", "--write");
    expect([exitCode, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining("none of its 1 file resembles a schema, generated code or records"),
    ]);
    expect(existsSync(join(folder.path, "empty", CONFIG))).toBe(false);
  });

  test("takes its name from the lock, which must be readable", async () => {
    write("pipeline/rollout-wire.lock.json", "{");
    const { exitCode, stdout, stderr } = await runIn("pipeline", "init");
    expect([exitCode, stdout]).toEqual([EXIT.unreadable, ""]);
    expect(stderr).toMatch(/^rollout-wire\.lock\.json:1:2 is not JSON: .*: restore it from git/);
  });

  test.each([
    [["nowhere"], EXIT.unreadable, "nowhere: no such folder"],
    [[".", "--name", "a b"], EXIT.usage, "--name a b: must consist of letters"],
  ])("init %j is a mistake", async (argv, expected, message) => {
    const { exitCode, stderr } = await runIn("pipeline", "init", ...argv);
    expect([exitCode, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });
});

test("a repository adopts the tool: init, red, baseline, green, a new fork, red, sync, its own tests", async () => {
  const ids = async (): Promise<string[]> => {
    const { stdout } = await runIn("pipeline", "drift", "--format", "json");
    return JSON.parse(stdout).findings.map(
      ({ id, file }: { id: string; file: string }) => `${id} ${file}`,
    );
  };
  const runOwnTests = (): void => {
    const cwd = join(folder.path, "pipeline");
    const env = { ...process.env, PYTHONPATH: "src" };
    execFileSync("python3", ["-m", "unittest", "discover", "-s", "tests"], {
      cwd,
      env,
      stdio: "pipe",
    });
  };
  runOwnTests();
  await runIn("pipeline", "init", "--write", "--name", "trace-pipeline");
  const differences = [`breaking ${FORK}`, `replay ${RECORDS}`, `unregistered ${PPO}`];
  expect(await ids()).toEqual(differences);
  await runIn("pipeline", "drift", "--accept", "the fork goes with release 3");
  expect(readConfig("pipeline").baseline).toHaveLength(3);
  expect((await runIn("pipeline", "drift")).exitCode).toBe(EXIT.ok);

  write("pipeline/src/another.json", readWire());
  expect(await ids()).toEqual(["unregistered src/another.json"]);
  write("pipeline/src/another.json", "{}");

  const config = readConfig("pipeline");
  const code = {
    kind: "generated" as const,
    schema: "rollout-wire",
    version: "1.0.0",
    source: "generated/python/rollout_wire",
    path: "src/rollout_wire",
  };
  write(`pipeline/${CONFIG}`, { ...config, artefacts: [...config.artefacts, code] });
  expect(await ids()).toEqual(["missing src/rollout_wire"]);
  const { exitCode } = await runIn("pipeline", "sync");
  expect([exitCode, (await runIn("pipeline", "drift")).exitCode]).toEqual([EXIT.ok, EXIT.ok]);
  expect(existsSync(join(folder.path, "pipeline/src/rollout_wire/__init__.py"))).toBe(true);
  runOwnTests();
});

describe("schemas of its own", () => {
  const schema = (title: string) => {
    return { title, type: "object", properties: { a: { type: "string" } } };
  };

  test("with the languages that it has, and what their packages are called", async () => {
    write("owner/schemas/task.schema.json", schema("Task"));
    write("owner/schemas/user.schema.json", schema("User"));
    write("owner/tests/fixtures/odd.schema.json", schema("Odd"));
    write(
      "owner/pyproject.toml",
      '[project]\nname = "task-store"\ndependencies = ["pydantic>=2"]\n',
    );
    write("owner/package.json", "{}");
    const { config } = await survey("owner");
    const python = "generated/python/task_store_schemas";
    expect(config.schemas).toEqual({
      sources: ["schemas/*.schema.json"],
      outputs: [
        { target: "typescript", folder: "generated/typescript" },
        { target: "validators", folder: "generated/typescript" },
        { target: "python", folder: python },
        { target: "pydantic", folder: `${python}_pydantic` },
      ],
    });
  });

  test("in a registry, which is the source", async () => {
    write("listed/schemas/task.json", schema("Task"));
    write("listed/schemas/index.json", { schemas: [{ id: "task", path: "schemas/task.json" }] });
    write("listed/pyproject.toml", '[project]\nname = "x"\n');
    const { stdout } = await folder.run(["init", "--format", "json"], {
      cwd: join(folder.path, "listed"),
    });
    const { config }: InitReport = JSON.parse(stdout);
    expect(config.schemas).toEqual({
      sources: ["schemas/index.json"],
      outputs: [{ target: "python", folder: "generated/python/x_schemas" }],
    });
  });

  test("init --write and generate: the code is there, and up to date", async () => {
    const cwd = join(folder.path, "adopting");
    write("adopting/task.schema.json", schema("Task"));
    const { exitCode, stdout, stderr } = await folder.run(["init", "--write"], { cwd });
    expect([exitCode, stdout]).toEqual([EXIT.ok, expect.stringMatching(/^own schemas\n {2}task/)]);
    expect(stderr).toContain("1. write the code of its schemas:  rollout-wire generate\n");
    expect(stderr).not.toContain("rollout-wire drift");
    expect((await folder.run(["generate"], { cwd })).exitCode).toBe(EXIT.ok);
    expect((await folder.run(["generate", "--check"], { cwd })).exitCode).toBe(EXIT.ok);
    for (const path of ["typescript/index.js", "python/adopting_schemas/task.py"]) {
      expect(existsSync(join(cwd, "generated", path))).toBe(true);
    }
  });

  test("generate and then init: the code of an own schema is no copy, although it has the same runtime", async () => {
    const cwd = join(folder.path, "generated-first");
    write("generated-first/task.schema.json", schema("Task"));
    expect((await folder.run(["generate", "task.schema.json"], { cwd })).exitCode).toBe(EXIT.ok);
    const { config } = await survey("generated-first");
    expect(config).toMatchObject({ schemas: { sources: ["task.schema.json"] }, artefacts: [] });
  });

  test("copies of other schemas are none", async () => {
    const { config } = await survey("pipeline");
    expect(config.schemas).toBeUndefined();
  });
});
