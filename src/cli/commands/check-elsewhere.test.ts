import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONFIG_FILE } from "../../base/package.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const TASK = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^t-[0-9]+$" },
    points: { type: "integer", minimum: 0 },
    labels: { type: "array", items: { type: "string", enum: ["new", "old"] } },
  },
  required: ["id"],
};

const CONFIG = {
  config_version: "config/v1",
  repository: "tasks",
  artefacts: [],
  schemas: {
    sources: ["schemas/*.json"],
    outputs: [
      { target: "typescript", folder: "src/contracts" },
      { target: "validators", folder: "src/contracts" },
      { target: "python", folder: "tasks" },
    ],
  },
};

let folder: TestFolder;

function write(file: string, value: unknown): void {
  writeFileSync(
    join(folder.path, file),
    typeof value === "string" ? value : JSON.stringify(value, undefined, 2),
  );
}

beforeAll(async () => {
  folder = createTestFolder();
  mkdirSync(join(folder.path, "schemas"));
  write("schemas/work.schema.json", { $defs: { Task: TASK } });
  write(CONFIG_FILE, CONFIG);
  expect(await folder.run(["generate"])).toMatchObject({ exitCode: EXIT.ok, stderr: "" });
});
afterAll(() => folder.remove());

/** Runs these checks with a file changed, and restores it. */
async function checkWith(file: string, change: (text: string) => string, ...only: string[]) {
  const text = readFileSync(join(folder.path, file), "utf8");
  const changed = change(text);
  if (changed === text) throw new Error(`the change of ${file} changes nothing`);
  write(file, changed);
  const result = await folder.run(["check", "--only", ...only]);
  write(file, text);
  return result;
}

describe("check in a repository with schemas of its own", () => {
  test("what is generated is fresh, and the schemas are linted: each says how much it looked at", async () => {
    const { exitCode, stdout } = await folder.run([
      "check",
      "--only",
      "schema-lint",
      "generated-fresh",
    ]);
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.trim().split(/ {2,}/));
    expect(rows).toEqual([
      ["schema-lint", "1 schema, 5 locations", "ok"],
      ["generated-fresh", expect.stringMatching(/^\d\d files, 1 schema$/), "ok"],
    ]);
    expect(exitCode).toBe(EXIT.ok);
  });

  test("generated code that somebody edited is red, with the command that fixes it here", async () => {
    const { exitCode, stdout } = await checkWith(
      "tasks/work.py",
      (text) => text.replace("< 0", "< 1"),
      "generated-fresh",
    );
    expect(stdout).toContain("tasks/work.py:");
    expect(stdout).toContain("fix:  run generate\n");
    expect(exitCode).toBe(EXIT.findings);
  });

  test("a keyword that nobody knows is red, at its place", async () => {
    const { exitCode, stdout } = await checkWith(
      "schemas/work.schema.json",
      (text) => text.replace('"minimum"', '"minimun"'),
      "schema-lint",
    );
    expect(stdout).toMatch(/schemas\/work\.schema\.json:\d+:\d+ .*\/properties\/points\/minimun/);
    expect(exitCode).toBe(EXIT.findings);
  });

  test("a configuration whose sources are gone is red, and not a check of nothing", async () => {
    const { exitCode, stdout } = await checkWith(
      CONFIG_FILE,
      (text) => text.replace("schemas/*.json", "nowhere/*.json"),
      "schema-lint",
    );
    expect(stdout).toMatch(/schema-lint +nothing +1 finding/);
    expect(exitCode).toBe(EXIT.findings);
  });

  test("a check that is not for this repository is in no table, and not run by name", async () => {
    const { stdout } = await folder.run(["check"]);
    expect(stdout).not.toMatch(/^ {2}(?:registry|semantic-rules|golden|released)/m);
    const { exitCode, stdout: nothing, stderr } = await folder.run(["check", "--only", "registry"]);
    expect([exitCode, nothing]).toEqual([EXIT.usage, ""]);
    expect(stderr).toBe(
      "--only registry: is not for this repository: it has no schema/registry.json in our form\n",
    );
  });

  test("it is found from a folder inside, and its files are named from there", async () => {
    const argv = ["check", "--only", "schema-lint"];
    const { exitCode } = await folder.run(argv, { cwd: join(folder.path, "schemas") });
    expect(exitCode).toBe(EXIT.ok);
  });

  test("a configuration of copies alone is told what check is for", async () => {
    const { exitCode, stderr } = await checkWith(
      CONFIG_FILE,
      () => JSON.stringify({ ...CONFIG, schemas: undefined }),
      "schema-lint",
    );
    expect(exitCode).toBe(EXIT.unreadable);
    expect(stderr).toMatch(/^rollout-wire\.config\.json names no schemas .* run drift\n$/);
  });

  test("what is not configured is one line of the summary, unless the checks were named", async () => {
    const all = await folder.run(["check"]);
    expect(all.stderr).toMatch(
      /^0 findings in 3 checks \(.*\)\nnot configured: fixtures, golden\n$/,
    );
    const one = await folder.run(["check", "--only", "schema-lint"]);
    expect(one.stderr).toMatch(/^0 findings in 1 check \(.*\)\n$/);
  });

  test("findings are accepted in a baseline, expected from then on, and red once they are gone", async () => {
    const file = "tasks/work.py";
    const text = readFileSync(join(folder.path, file), "utf8");
    const only = ["--only", "schema-lint", "generated-fresh"];
    const check = (...argv: string[]) =>
      folder.run(["check", "--baseline", "known.json", ...only, ...argv]);
    write(file, text.replace("< 0", "< 1"));
    expect(await check()).toMatchObject({
      exitCode: EXIT.unreadable,
      stderr: "known.json:1:1  known.json: no such file\n",
    });
    const accepted = await check("--accept", "goes with release 3", "--expires", "2999-12-31");
    expect(accepted.exitCode).toBe(EXIT.ok);
    expect(accepted.stderr).toMatch(/\n1 finding accepted until 2999-12-31 in known\.json\n$/);
    const expected = await check();
    expect(expected.stdout).toMatch(
      /generated-fresh {2,}\d+ files, 1 schema, 1 expected failure +ok/,
    );
    expect(expected.stderr).toMatch(/^0 findings in 2 checks, 1 expected failure \(/);
    expect(expected.exitCode).toBe(EXIT.ok);
    write(file, text);
    const gone = await check();
    expect(gone.exitCode).toBe(EXIT.findings);
    expect(gone.stdout).toMatch(
      /known\.json:3:5 .*\/baseline\/0.*stale-baseline.*\n +stale of tasks\/work\.py is no longer found: remove the entry\n/,
    );
  });

  test.each([
    [["--accept", "soon"], "--accept requires --baseline\n"],
    [["--expires", "2999-12-31"], "--expires requires --accept\n"],
    [
      ["--baseline", "a.json", "--accept", "soon", "--expires", "2020-01-01"],
      "--expires 2020-01-01: must be a day from today on, as YYYY-MM-DD\n",
    ],
    [["--write-golden"], /^--write-golden: .* names no "golden" commands\n$/],
  ])("%j", async (argv, message) => {
    const { exitCode, stdout, stderr } = await folder.run(["check", ...argv]);
    expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
  });

  test("golden outputs are not rewritten in CI", async () => {
    const { exitCode, stderr } = await folder.run(["check", "--write-golden"], {
      env: { CI: "true" },
    });
    expect(exitCode).toBe(EXIT.usage);
    expect(stderr).toMatch(/^CI is set: golden outputs are compared there and never rewritten/);
  });
});
