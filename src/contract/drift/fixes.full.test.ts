import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Finding } from "../../base/findings/finding.js";
import { EXIT } from "../../base/user-error.js";
import type { DriftResult } from "../../cli/drift/describe.js";
import { driftOfRepositories } from "../../cli/drift/run.js";
import {
  createScene,
  FIXTURE,
  LOCK,
  SCHEMA,
  type Scene,
  TYPES,
} from "../../cli/sync/testing/create-scene.js";
import { Canonical } from "./canonical.js";

const PYTHON = "src/rollout_wire";
const EXTRA = `${PYTHON}/extra.py`;

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

const MODES = ["by its lock", "by its configuration"] as const;
type Mode = (typeof MODES)[number];

interface Run {
  readonly mode: Mode;
  readonly name: string;
  readonly latest?: boolean;
}

/** Runs `drift` in the repository itself. The scene is that of `name`. */
function drift({ mode, name, latest = false }: Run): DriftResult {
  const context = { cwd: scene.repo, latest, program: "rollout-wire" };
  const canonical = new Canonical(scene.source);
  if (mode === "by its lock") return driftOfRepositories(undefined, canonical, context);
  return driftOfRepositories([`${name}=.`], canonical, context);
}

function isWrong({ id, severity }: Finding, { latest = false }: Run): boolean {
  return severity === "error" || (latest && id === "behind-latest");
}

/** Runs the commands that `drift` prints, as the user would. */
async function follow(fixes: readonly string[]): Promise<void> {
  for (const fix of fixes) {
    const [line = ""] = fix.split("  #");
    const [program, ...argv] = line.split(" ");
    if (program === "in") scene.pin("1.1.0");
    else if (program === "rm") execFileSync("rm", argv, { cwd: scene.repo });
    else {
      const repository = argv.findIndex((word) => word.endsWith("=."));
      const [named = ""] = argv.splice(repository, 1);
      const flags = argv.filter((word) => word.startsWith("--") && word !== "--repo");
      const { exitCode, stdout } = await scene.syncTo(
        named.replace("=.", "=wasmagent-js"),
        ...flags,
      );
      expect([exitCode, stdout]).toEqual([EXIT.ok, stdout]);
    }
  }
}

/** Follows the printed fixes, and checks that nothing is left to fix. */
async function expectFixed(run: Run): Promise<readonly string[]> {
  const { findings, fixes } = drift(run);
  expect(findings.some((finding) => isWrong(finding, run))).toBe(true);
  await follow(fixes);
  const after = drift(run);
  expect(after.findings.filter((finding) => isWrong(finding, run))).toEqual([]);
  expect(after.fixes).toEqual([]);
  return fixes;
}

const OF_RUNTIME = "rollout-wire sync --repo wasmagent-js=.";
const FORCED = `${OF_RUNTIME} --force  # overwrites local changes`;

describe.each(MODES)("%s, the printed fix corrects it", (mode) => {
  const run = { mode, name: "wasmagent-js" };

  test("nothing", async () => {
    await scene.sync();
    expect(drift(run)).toMatchObject({ findings: [], fixes: [] });
  });

  test.each<[string, string, (text: string) => string]>([
    ["formatting", SCHEMA, (text) => `${text}\n`],
    ["documentation", SCHEMA, (text) => text.replace('"title": "', '"title": "Our ')],
    [
      "compatible",
      SCHEMA,
      (text) => text.replace('"minimum": 1\n', '"minimum": 1, "exclusiveMinimum": 0\n'),
    ],
    ["breaking", SCHEMA, (text) => text.replace('"minimum": 0', '"minimum": 1')],
    [
      "undecided",
      SCHEMA,
      (text) =>
        text.replace(
          '"minLength": 1\n',
          '"minLength": 1, "pattern": "^(?!(.+)=(.+)=\\\\2\\\\1$)"\n',
        ),
    ],
    ["unreadable", SCHEMA, (text) => `${text}<<<<<<< HEAD\n`],
    ["changed", TYPES, (text) => `${text}// ours\n`],
  ])("%s", async (grade, path, change) => {
    await scene.sync();
    scene.edit(path, change);
    expect(drift(run).findings[0]?.id).toBe(grade);
    expect(await expectFixed(run)).toEqual([FORCED]);
  });

  test("a missing copy", async () => {
    await scene.sync();
    execFileSync("rm", [TYPES], { cwd: scene.repo });
    expect(await expectFixed(run)).toEqual([OF_RUNTIME]);
  });

  test("an unexpected file: only the user deletes files that are not copies", async () => {
    await scene.adopt("trace-pipeline");
    scene.write(EXTRA, "x\n");
    const fixes = await expectFixed({ mode, name: "trace-pipeline" });
    expect(fixes).toEqual([`rm -- ${EXTRA}`]);
  });

  test("an outdated version, if the latest is required", async () => {
    await scene.sync();
    scene.raise();
    scene.pin("1.0.0");
    expect(drift(run).fixes).toEqual([]);
    expect(await expectFixed({ ...run, latest: true })).toEqual([
      'in rollout-wire.config.json, raise "version" of the rollout-wire copies in wasmagent-js to 1.1.0; then',
      OF_RUNTIME,
    ]);
  });

  test("an unavailable version", async () => {
    await scene.adopt("bscode");
    scene.raise();
    scene.pin("1.0.0");
    execFileSync("rm", ["src/rollout-wire.d.ts"], { cwd: scene.repo });
    expect(await expectFixed({ mode, name: "bscode" })).toEqual([
      'in rollout-wire.config.json, raise "version" of the rollout-wire copies in bscode to 1.1.0; then',
      "rollout-wire sync --repo bscode=.",
    ]);
  });
});

describe.each(MODES)("%s", (mode) => {
  test("a changed copy of an unavailable version", async () => {
    await scene.adopt("bscode");
    scene.raise();
    scene.pin("1.0.0");
    scene.edit("src/rollout-wire.d.ts", (text) => `${text}// ours\n`);
    expect((await expectFixed({ mode, name: "bscode" })).at(-1)).toBe(
      "rollout-wire sync --repo bscode=. --force  # overwrites local changes",
    );
  });
});

describe("by its lock", () => {
  const run = { mode: MODES[0], name: "wasmagent-js" };

  test("a lock that lacks a copy", async () => {
    await scene.sync();
    scene.edit(LOCK, (text) => {
      const lock = JSON.parse(text);
      return JSON.stringify({ ...lock, artefacts: lock.artefacts.slice(1) });
    });
    expect(await expectFixed(run)).toEqual([OF_RUNTIME]);
  });

  test("a lock that contradicts a published version", async () => {
    await scene.sync();
    scene.edit(LOCK, (text) => text.replace(/("contract": "contract1-sha256:).{8}/, "$100000000"));
    expect(await expectFixed(run)).toEqual([OF_RUNTIME]);
  });

  test("a changed copy that was retired", async () => {
    await scene.sync();
    scene.configure((config) => ({
      ...config,
      artefacts: config.artefacts.filter(({ kind }) => kind !== "generated"),
    }));
    scene.edit(TYPES, (text) => `${text}// ours\n`);
    expect(await expectFixed(run)).toEqual([`${OF_RUNTIME} --prune`]);
  });

  test("a lock without a configuration", async () => {
    await scene.sync();
    execFileSync("rm", ["rollout-wire.config.json"], { cwd: scene.repo });
    scene.edit(TYPES, (text) => `${text}// ours\n`);
    expect(drift(run).fixes).toEqual(["rollout-wire init --write"]);
  });
});

describe("by its configuration", () => {
  const run = { mode: MODES[1], name: "wasmagent-js" };

  test("a copy whose version was raised needs no --force", async () => {
    await scene.sync();
    scene.raise();
    expect(await expectFixed(run)).toEqual([OF_RUNTIME]);
  });

  test("a copy that is ahead", async () => {
    await scene.sync();
    scene.edit(SCHEMA, (text) => text.replace("rollout-wire/v1", "rollout-wire/v2"));
    expect(await expectFixed(run)).toEqual([
      `${OF_RUNTIME} --force  # replaces later versions, which a later rollout-wire has`,
    ]);
  });

  test("an unreadable lock", async () => {
    await scene.sync();
    scene.edit(LOCK, () => '{"lock');
    expect(await expectFixed(run)).toEqual([`${OF_RUNTIME} --force`]);
  });

  test("an older version without a lock is updated without --force", async () => {
    await scene.sync();
    execFileSync("rm", [LOCK, TYPES, FIXTURE], { cwd: scene.repo });
    scene.raise();
    expect(await expectFixed(run)).toEqual([OF_RUNTIME]);
  });

  test("a retired copy is removed with --prune", async () => {
    await scene.adopt("trace-pipeline");
    execFileSync("rm", [join(scene.source, "generated/python/rollout_wire/py.typed")]);
    expect(await expectFixed({ ...run, name: "trace-pipeline" })).toEqual([
      "rollout-wire sync --repo trace-pipeline=. --prune",
    ]);
  });

  test("the fix does not delete files of an old, unavailable version", async () => {
    await scene.adopt("trace-pipeline");
    execFileSync("rm", [LOCK], { cwd: scene.repo });
    scene.write(EXTRA, "x\n");
    scene.raise();
    scene.pin("1.0.0");
    const { fixes, findings } = drift({ ...run, name: "trace-pipeline" });
    const types = findings.find(({ file }) => file === `${PYTHON}/__init__.py`);
    expect(types?.message).toBe(
      "cannot be compared: its original is no longer available: should be rollout-wire 1.0.0",
    );
    expect(fixes).toEqual([
      'in rollout-wire.config.json, raise "version" of the rollout-wire copies in trace-pipeline to 1.1.0; then',
      "rollout-wire sync --repo trace-pipeline=. --force  # overwrites local changes",
    ]);
  });

  test("a git revision is fixed in a checkout", async () => {
    await scene.sync();
    const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
    scene.edit(TYPES, (text) => `${text}// ours\n`);
    for (const args of [
      ["add", "."],
      ["commit", "--quiet", "-m", "x"],
    ]) {
      execFileSync("git", [...author, ...args], { cwd: scene.repo });
    }
    const context = { cwd: join(scene.repo, ".."), latest: false, program: "rollout-wire" };
    const { fixes } = driftOfRepositories(
      ["wasmagent-js=wasmagent-js#HEAD"],
      new Canonical(scene.source),
      context,
    );
    expect(fixes).toEqual([
      `${OF_RUNTIME} --force  # in a checkout of wasmagent-js#HEAD; overwrites local changes`,
    ]);
  });
});

describe("after a release, unchanged pinned copies still pass", () => {
  test.each(MODES)("%s, and each artefact is reported as outdated once", async (mode) => {
    await scene.adopt("trace-pipeline");
    scene.raise();
    scene.editSource("generated/python/rollout_wire/py.typed", () => "partial\n");
    execFileSync("cp", ["py.typed", "added.py"], {
      cwd: join(scene.source, "generated/python/rollout_wire"),
    });
    scene.pin("1.0.0");
    const { findings } = drift({ mode, name: "trace-pipeline" });
    expect(findings.map(({ id, severity }) => [id, severity])).toEqual(
      Array(3).fill(["behind-latest", "warning"]),
    );
    const folder = findings.find(({ file }) => file.startsWith(PYTHON));
    expect(folder?.message).toMatch(
      /^is pinned at rollout-wire 1\.0\.0, like all \d+ copies in src\/rollout_wire\/; the latest is 1\.1\.0$/,
    );
  });

  test("with the lock, even if the package is newer than the lock", async () => {
    await scene.adopt("trace-pipeline");
    scene.raise();
    execFileSync("cp", ["py.typed", "added.py"], {
      cwd: join(scene.source, "generated/python/rollout_wire"),
    });
    const { findings } = drift({ mode: "by its lock", name: "trace-pipeline" });
    expect([...new Set(findings.map(({ id }) => id))]).toEqual(["behind-latest"]);
  });
});
