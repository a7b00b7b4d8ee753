import { execFileSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../base/user-error.js";
import { readLock } from "../../contract/drift/lock.js";
import {
  createConfig,
  listLayout,
  writeConfiguration,
} from "../../contract/drift/testing/layouts.js";
import { schemaHashes } from "../../contract/schemas/hashes.js";
import {
  createScene,
  FIXTURE,
  LOCK,
  SCHEMA,
  type Scene,
  TYPES,
} from "../sync/testing/create-scene.js";

const ALL = [FIXTURE, SCHEMA, TYPES, LOCK].sort();

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

function git(folder: string, ...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

describe("a repository without copies", () => {
  test("gets all of them and a lock, and the next steps are printed", async () => {
    expect(await scene.sync()).toEqual({
      exitCode: EXIT.ok,
      stdout: `wasmagent-js  wasmagent-js
  create     ${SCHEMA}  rollout-wire 1.0.0
  create     ${TYPES}  rollout-wire 1.0.0
  create     ${FIXTURE}  rollout-wire 1.0.0
  write      rollout-wire.lock.json
`,
      stderr: `  wasmagent-js       3 copies: 3 created
Next, for wasmagent-js:
  1. make sure that the readers of rollout-wire moved first (records must not be written before they can be read):  trace-pipeline, bscode
  2. review the changes:  git -C wasmagent-js add -N ${SCHEMA} ${TYPES} ${FIXTURE} rollout-wire.lock.json && git -C wasmagent-js diff
  3. adapt the code that uses rollout-wire 1.0.0
  4. run the tests of wasmagent-js, and there:  rollout-wire drift --registry ${scene.source}/schema/registry.json
  5. commit all copies with their lock:  git -C wasmagent-js add ${SCHEMA} ${TYPES} ${FIXTURE} rollout-wire.lock.json
  6. then move the other writers of rollout-wire:  eliza-rollout-plugin
`,
    });
    expect(Object.keys(scene.files()).sort()).toEqual(ALL);
    expect(scene.read(SCHEMA)).toBe(scene.readSource("schema/rollout-wire.schema.json"));
    expect(scene.read(TYPES)).toBe(scene.readSource("generated/typescript/rollout-wire.d.ts"));
    const lock = readLock(scene.repo);
    expect(lock).toMatchObject({
      repository: "wasmagent-js",
      source: { repository: basename(scene.source), commit: null },
    });
    expect(lock.artefacts.map(({ path }) => path)).toEqual([FIXTURE, TYPES, SCHEMA].sort());
    expect(lock.artefacts.find(({ path }) => path === SCHEMA)).toEqual({
      kind: "schema",
      schema: "rollout-wire",
      version: "1.0.0",
      source: "schema/rollout-wire.schema.json",
      path: SCHEMA,
      hashes: schemaHashes(scene.read(SCHEMA)),
    });
  });

  test("the first printed step shows the new files", async () => {
    const { stderr } = await scene.sync();
    const [, command = ""] = /review the changes: {2}(.*)/.exec(stderr) ?? [];
    const cwd = join(scene.repo, "..");
    const shown = execFileSync("bash", ["-c", command], { cwd, encoding: "utf8" });
    for (const path of ALL) expect(shown).toContain(`+++ b/${path}\n`);
  });

  test("gets every file of a folder", async () => {
    const config = createConfig("trace-pipeline", listLayout("trace-pipeline", "1.0.0"));
    writeConfiguration(join(scene.repo, "python"), config);
    const { exitCode } = await scene.syncTo("trace-pipeline=wasmagent-js/python");
    expect(exitCode).toBe(EXIT.ok);
    const files = Object.keys(scene.files());
    expect(files).toContain("python/src/rollout_wire/__init__.py");
    expect(files).toContain("python/src/rollout_wire/py.typed");
    expect(readLock(join(scene.repo, "python")).artefacts).toHaveLength(
      files.length - ["the lock", "the configuration"].length,
    );
  });

  test("is written together with others", async () => {
    const config = createConfig("bscode", listLayout("bscode", "1.0.0"));
    writeConfiguration(join(scene.repo, "bscode"), config);
    const { exitCode, stderr } = await scene.syncTo(
      "wasmagent-js=wasmagent-js",
      "bscode=wasmagent-js/bscode",
    );
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("  wasmagent-js       3 copies: 3 created\n");
    expect(stderr).toContain("  bscode             2 copies: 2 created\n");
    expect(stderr).toContain("  5. then move the other readers of rollout-wire:  trace-pipeline\n");
  });
});

describe("a second run", () => {
  beforeEach(async () => {
    await scene.sync();
  });

  test("changes nothing and says so", async () => {
    const before = statSync(join(scene.repo, LOCK)).mtimeMs;
    expect(await scene.sync()).toEqual({
      exitCode: EXIT.ok,
      stdout: "",
      stderr: "  wasmagent-js       3 copies: 3 up to date; nothing to do\n",
    });
    expect(statSync(join(scene.repo, LOCK)).mtimeMs).toBe(before);
  });

  test("keeps an equivalent lock in another layout", async () => {
    scene.edit(LOCK, (text) => JSON.stringify(JSON.parse(text)));
    const files = scene.files();
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
    expect(scene.files()).toEqual(files);
  });

  test("records the commit once there is one, but not a later commit with the same copies", async () => {
    git(scene.source, "init", "--quiet");
    git(scene.source, "add", "schema", "generated", "fixtures");
    git(scene.source, "commit", "--quiet", "-m", "first");
    const commit = git(scene.source, "rev-parse", "HEAD");
    expect((await scene.sync()).stdout).toBe(
      "wasmagent-js  wasmagent-js\n  write      rollout-wire.lock.json\n",
    );
    expect(readLock(scene.repo).source.commit).toBe(commit);
    git(scene.source, "commit", "--quiet", "--allow-empty", "-m", "second");
    expect(await scene.sync()).toMatchObject({ stdout: "" });
    expect(readLock(scene.repo).source.commit).toBe(commit);
  });

  test("restores a missing copy", async () => {
    rmSync(join(scene.repo, TYPES));
    const { stdout } = await scene.sync();
    expect(stdout).toBe(`wasmagent-js  wasmagent-js\n  create     ${TYPES}  rollout-wire 1.0.0\n`);
    expect(scene.read(TYPES)).toBe(scene.readSource("generated/typescript/rollout-wire.d.ts"));
  });
});

describe("an outdated repository", () => {
  test("is updated, with the changes and their effects", async () => {
    await scene.sync();
    scene.raise();
    const { exitCode, stdout, stderr } = await scene.sync();
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain(`  update     ${SCHEMA}  rollout-wire 1.0.0 to 1.1.0
    backward breaking, forward compatible (declared-writer: backward compatible, forward compatible)
    @@ -`);
    expect(stdout).toContain('    +"rank": {\n');
    expect(stdout).toContain("    +// 1.1.0\n");
    expect(stderr).toContain("3 copies: 2 updated, 1 up to date\n");
    expect(stderr).toContain("adapt the code that uses rollout-wire 1.1.0\n");
    expect(stderr).toContain(
      "nothing of rollout-wire breaks: then move the others in any order:  trace-pipeline,",
    );
    const versions = readLock(scene.repo).artefacts.map(({ version }) => version);
    expect(versions).toEqual(["1.1.0", "1.1.0", "1.1.0"]);
    expect(scene.read(SCHEMA)).toBe(scene.readSource("schema/rollout-wire.schema.json"));
  });

  test("is updated even without a lock if its copy was published", async () => {
    scene.write(SCHEMA, scene.readSource("schema/rollout-wire.schema.json"));
    scene.raise();
    const { exitCode, stdout } = await scene.sync();
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain(`  update     ${SCHEMA}  rollout-wire 1.1.0\n`);
  });

  test("is updated if the same version has a different text", async () => {
    await scene.sync();
    scene.editSource("generated/typescript/rollout-wire.d.ts", (text) => `${text}//\n`);
    const { stderr } = await scene.sync();
    expect(stderr).not.toContain("adapt");
    expect(stderr).not.toContain("move");
  });

  test.each<[from: string, to: string, verdicts: string, reason: string]>([
    [
      '"minimum": 1',
      '"minimum": 2',
      "backward breaking, forward compatible",
      "(new readers may reject old records, and must accept both versions meanwhile)",
    ],
    [
      '"minimum": 1',
      '"minimum": 0',
      "backward compatible, forward breaking",
      "(old readers may reject new records)",
    ],
  ])("is told who moves first, for %s to %s", async (from, to, verdicts, reason) => {
    await scene.sync();
    scene.raise((text) => text.replace(from, to));
    const { stdout, stderr } = await scene.sync();
    expect(stdout).toContain(`    ${verdicts}\n`);
    expect(stderr).toContain(
      `  1. make sure that the readers of rollout-wire moved first ${reason}:  trace-pipeline, bscode\n`,
    );
  });

  test("is recognised by its lock if it has no schema", async () => {
    await scene.adopt("bscode");
    scene.raise((text) => text.replace('"minimum": 1', '"minimum": 0'));
    const { stderr } = await scene.syncTo("bscode=wasmagent-js");
    expect(stderr).toContain("then move the other readers of rollout-wire:  trace-pipeline\n");
    expect(stderr).toContain(
      "and last its writers (old readers may reject new records):  wasmagent-js, eliza-rollout-plugin\n",
    );
  });
});

test("--dry-run prints the changes and writes nothing", async () => {
  await scene.sync();
  scene.raise();
  scene.edit(FIXTURE, (text) => `${text}{}\n`);
  const files = scene.files();
  const dry = await scene.sync("--force", "--dry-run");
  expect(dry.exitCode).toBe(EXIT.ok);
  expect(dry.stderr).toContain("; nothing is written (--dry-run)\n");
  expect(scene.files()).toEqual(files);
  expect(dry.stderr).toContain("Next, for wasmagent-js:\n  1. run it without --dry-run\n");
  const real = await scene.sync("--force");
  expect(real.stdout).toBe(dry.stdout);
  const withoutDry = dry.stderr
    .replace("; nothing is written (--dry-run)", "")
    .replace("to update", "updated")
    .replace("to overwrite", "overwritten")
    .replace("  1. run it without --dry-run\n", "")
    .replaceAll(/^ {2}(\d)\./gm, (_, step) => `  ${Number(step) - 1}.`);
  expect(real.stderr).toBe(withoutDry);
  expect(scene.files()).not.toEqual(files);
});

test("with machine-readable findings, the changes are printed on standard error", async () => {
  const { stdout, stderr } = await scene.sync("--format", "github");
  expect(stdout).toBe("");
  expect(stderr).toContain(`  create     ${SCHEMA}  rollout-wire 1.0.0\n`);
});
