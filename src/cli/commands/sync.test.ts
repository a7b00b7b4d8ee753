import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readLock } from "../../../conformance/drift/read-lock.js";
import { schemaHashes } from "../../../conformance/registry/schema-hashes.js";
import { EXIT } from "../../user-error.js";
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

function sourceText(path: string): string {
  return readFileSync(join(scene.source, path), "utf8");
}

function git(folder: string, ...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

describe("a repository that has no copies", () => {
  test("gets all of them and a lock, and its people are told what is next", async () => {
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
  1. make sure that who reads rollout-wire moved first (nobody may write what nobody reads yet):  trace-pipeline, bscode
  2. look at what changed:  git -C wasmagent-js add -N ${SCHEMA} ${TYPES} ${FIXTURE} rollout-wire.lock.json && git -C wasmagent-js diff
  3. adapt what uses rollout-wire 1.0.0
  4. run the tests of wasmagent-js, and there:  rollout-wire drift
  5. commit all copies with their lock:  git -C wasmagent-js add ${SCHEMA} ${TYPES} ${FIXTURE} rollout-wire.lock.json
  6. then move who else writes rollout-wire:  eliza-rollout-plugin
`,
    });
    expect(Object.keys(scene.files()).sort()).toEqual(ALL);
    expect(scene.read(SCHEMA)).toBe(sourceText("schema/rollout-wire.schema.json"));
    expect(scene.read(TYPES)).toBe(sourceText("generated/typescript/rollout-wire.d.ts"));
    const lock = readLock(scene.repo);
    expect(lock).toMatchObject({
      repository: "wasmagent-js",
      source: { repository: "rollout-wire", commit: null },
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

  test("is shown the new files by the first command that it is told", async () => {
    const { stderr } = await scene.sync();
    const [, command = ""] = /look at what changed: {2}(.*)/.exec(stderr) ?? [];
    const cwd = join(scene.repo, "..");
    const shown = execFileSync("bash", ["-c", command], { cwd, encoding: "utf8" });
    for (const path of ALL) expect(shown).toContain(`+++ b/${path}\n`);
  });

  test("gets every file of a folder", async () => {
    mkdirSync(join(scene.repo, "python"));
    const { exitCode } = await scene.syncTo("trace-pipeline=wasmagent-js/python");
    expect(exitCode).toBe(EXIT.ok);
    const files = Object.keys(scene.files());
    expect(files).toContain("python/src/rollout_wire/__init__.py");
    expect(files).toContain("python/src/rollout_wire/py.typed");
    expect(readLock(join(scene.repo, "python")).artefacts).toHaveLength(files.length - 1);
  });

  test("is one of several that are written together", async () => {
    mkdirSync(join(scene.repo, "bscode"));
    const { exitCode, stderr } = await scene.syncTo(
      "wasmagent-js=wasmagent-js",
      "bscode=wasmagent-js/bscode",
    );
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("  wasmagent-js       3 copies: 3 created\n");
    expect(stderr).toContain("  bscode             2 copies: 2 created\n");
    expect(stderr).toContain("  5. then move who else reads rollout-wire:  trace-pipeline\n");
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

  test("lets a lock be that says the same in another layout", async () => {
    scene.edit(LOCK, (text) => JSON.stringify(JSON.parse(text)));
    const files = scene.files();
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
    expect(scene.files()).toEqual(files);
  });

  test("names the commit once there is one, and not that of a later one that made the same", async () => {
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

  test("gives a missing copy back", async () => {
    rmSync(join(scene.repo, TYPES));
    const { stdout } = await scene.sync();
    expect(stdout).toBe(`wasmagent-js  wasmagent-js\n  create     ${TYPES}  rollout-wire 1.0.0\n`);
    expect(scene.read(TYPES)).toBe(sourceText("generated/typescript/rollout-wire.d.ts"));
  });
});

describe("a repository that is behind", () => {
  test("is updated, and shown what changes and what that breaks", async () => {
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
    expect(stderr).toContain("adapt what uses rollout-wire 1.1.0\n");
    expect(stderr).toContain("nothing breaks: then move the others in any order:  trace-pipeline,");
    const versions = readLock(scene.repo).artefacts.map(({ version }) => version);
    expect(versions).toEqual(["1.1.0", "1.1.0", "1.1.0"]);
    expect(scene.read(SCHEMA)).toBe(sourceText("schema/rollout-wire.schema.json"));
  });

  test("is updated without a lock too, where its copy was published once", async () => {
    scene.write(SCHEMA, sourceText("schema/rollout-wire.schema.json"));
    scene.raise();
    const { exitCode, stdout } = await scene.sync();
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain(`  update     ${SCHEMA}  rollout-wire 1.1.0\n`);
  });

  test("is moved for nothing where the same version reads otherwise", async () => {
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
      "(new readers may reject old records, and have to take both versions meanwhile)",
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
      `  1. make sure that who reads rollout-wire moved first ${reason}:  trace-pipeline, bscode\n`,
    );
  });

  test("is told so by its lock where it holds no schema", async () => {
    const bscode = ["bscode=wasmagent-js"];
    await scene.syncTo(...bscode);
    scene.raise((text) => text.replace('"minimum": 1', '"minimum": 0'));
    const { stderr } = await scene.syncTo(...bscode);
    expect(stderr).toContain("then move who else reads rollout-wire:  trace-pipeline\n");
    expect(stderr).toContain(
      "and last who writes it (old readers may reject new records):  wasmagent-js, eliza-rollout-plugin\n",
    );
  });
});

/** What is refused leaves every file as it is, and what is forced brings the copy up to date. */
async function expectRefusal(path: string, message: string): Promise<void> {
  const files = scene.files();
  const refused = await scene.sync();
  expect(refused).toMatchObject({ exitCode: EXIT.findings });
  expect(refused.stdout).toMatch(new RegExp(`^wasmagent-js/${path}:\\d+:1 .*`, "m"));
  expect(refused.stdout).toContain(message);
  expect(refused.stderr).toMatch(/^ {2}wasmagent-js .*refused.*; nothing is written\n$/);
  expect(scene.files()).toEqual(files);
  const forced = await scene.sync("--force");
  expect(forced).toMatchObject({ exitCode: EXIT.ok });
  expect(forced.stdout).toContain(`  overwrite  ${path}`);
  expect(forced.stdout).toContain("warning: ");
  expect(forced.stdout).toContain("it is overwritten (--force)");
  expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
}

describe("a copy that is ahead is not overwritten", () => {
  beforeEach(async () => {
    await scene.sync();
  });

  test("by its lock, whatever its bytes", async () => {
    scene.edit(LOCK, (text) => text.replaceAll('"version": "1.0.0"', '"version": "1.2.0"'));
    await expectRefusal(SCHEMA, "is ahead of rollout-wire 1.0.0: its lock has rollout-wire 1.2.0");
  });

  test("by its $id", async () => {
    scene.edit(SCHEMA, (text) => text.replace("rollout-wire/v1", "rollout-wire/v2"));
    await expectRefusal(SCHEMA, 'is ahead of rollout-wire 1.0.0: its "$id" ends with v2');
  });

  test("by the program that wrote its lock", async () => {
    scene.edit(LOCK, (text) => text.replace(/"tool_version": ".*"/, '"tool_version": "99.0.0"'));
    scene.editSource("generated/typescript/rollout-wire.d.ts", (text) => `${text}//\n`);
    await expectRefusal(
      TYPES,
      "is ahead of rollout-wire 1.0.0: its lock is of a later rollout-wire",
    );
  });

  test("by the published version that it is", async () => {
    rmSync(join(scene.repo, LOCK));
    scene.raise();
    scene.edit(SCHEMA, () => sourceText("schema/rollout-wire.schema.json"));
    scene.editRegistry((registry) => pinTo(registry, "1.0.0", ["schema"]));
    await expectRefusal(SCHEMA, "is ahead of rollout-wire 1.0.0: it is rollout-wire 1.1.0");
  });
});

type Registry = Parameters<Parameters<Scene["editRegistry"]>[0]>[0];

/** The registry with other pins of wasmagent-js. */
function pinTo(registry: Registry, version: string, kinds: readonly string[]): Registry {
  const repositories = registry.repositories.map((repository) => ({
    ...repository,
    artefacts: repository.artefacts.map((artefact) =>
      kinds.includes(artefact.kind) ? { ...artefact, version } : artefact,
    ),
  }));
  return { ...registry, repositories };
}

describe("a copy that somebody changed is not overwritten", () => {
  beforeEach(async () => {
    await scene.sync();
  });

  test.each<[what: string, path: string, change: (text: string) => string, message: string]>([
    [
      "its contents",
      SCHEMA,
      (text) => text.replace('"minimum": 1', '"minimum": 2'),
      "was changed here: undo the change",
    ],
    [
      "its layout",
      SCHEMA,
      (text) => text.replaceAll("  ", " "),
      "changed here, in formatting alone",
    ],
    ["its line ends", TYPES, (text) => text.replaceAll("\n", "\r\n"), "in formatting alone"],
    [
      "its descriptions",
      SCHEMA,
      (text) => text.replace('"description": "', '"description": "Ours: '),
      "was changed here, in documentation alone: undo the change, or overwrite it with --force",
    ],
    ["what was JSON", SCHEMA, () => "<<<<<<< HEAD", "was changed here: undo the change"],
    ["a record", FIXTURE, (text) => text.replace('"rank":1', '"rank":2'), "was changed here:"],
  ])("%s", async (_what, path, change, message) => {
    scene.edit(path, change);
    await expectRefusal(path, message);
  });

  test("and its lock with it", async () => {
    scene.edit(SCHEMA, (text) => text.replace('"minimum": 1', '"minimum": 2'));
    const { bytes, canonical, contract } = schemaHashes(scene.read(SCHEMA));
    const published = schemaHashes(sourceText("schema/rollout-wire.schema.json"));
    scene.edit(LOCK, (text) =>
      text
        .replace(published.bytes, bytes)
        .replace(published.canonical, canonical)
        .replace(published.contract, contract),
    );
    await expectRefusal(SCHEMA, "was changed here: undo the change");
  });

  test("the finding shows the place, what differs and what that breaks", async () => {
    scene.edit(SCHEMA, (text) => text.replace('"minimum": 1', '"minimum": 2'));
    const { stdout } = await scene.sync("--format", "json");
    const line = scene
      .read(SCHEMA)
      .split("\n")
      .findIndex((text) => text.includes('"minimum": 2'));
    expect(JSON.parse(stdout)).toMatchObject({
      command: "sync",
      checked: 3,
      findings: [
        {
          id: "changed",
          severity: "error",
          file: `wasmagent-js/${SCHEMA}`,
          line: line + 1,
          detail: expect.stringMatching(
            /^backward compatible, forward breaking\n@@ [\s\S]*\n- .*"minimum": 2\n\+ .*"minimum": 1\n/,
          ),
        },
      ],
      summary: { errors: 1, warnings: 0 },
    });
  });

  test("nor is any other then", async () => {
    scene.edit(FIXTURE, (text) => `${text}{}\n`);
    rmSync(join(scene.repo, TYPES));
    const files = scene.files();
    const { exitCode, stderr } = await scene.sync();
    expect([exitCode, stderr]).toEqual([
      EXIT.findings,
      "  wasmagent-js       3 copies: 1 created, 1 refused, 1 up to date; nothing is written\n",
    ]);
    expect(scene.files()).toEqual(files);
  });

  test("nor with --force where no warning is allowed", async () => {
    scene.edit(FIXTURE, (text) => `${text}{}\n`);
    const files = scene.files();
    const { exitCode, stderr } = await scene.sync("--force", "--max-warnings", "0");
    expect(exitCode).toBe(EXIT.findings);
    expect(stderr).toContain("nothing is written");
    expect(scene.files()).toEqual(files);
  });
});

test("a copy that was never published is not overwritten, where no lock says what it is", async () => {
  scene.write(TYPES, "export type Ours = string;\n");
  scene.write(SCHEMA, sourceText("schema/rollout-wire.schema.json"));
  await expectRefusal(TYPES, "is no rollout-wire that was published: undo the change");
});

test("--dry-run prints what is done without it, and writes nothing", async () => {
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
    .replace("  1. run it without --dry-run\n", "")
    .replaceAll(/^ {2}(\d)\./gm, (_, step) => `  ${Number(step) - 1}.`);
  expect(real.stderr).toBe(withoutDry);
  expect(scene.files()).not.toEqual(files);
});

describe("what the registry does not have any more", () => {
  beforeEach(async () => {
    await scene.sync();
    scene.editRegistry((registry) => ({
      ...registry,
      repositories: registry.repositories.map((repository) => ({
        ...repository,
        artefacts: repository.artefacts.filter(({ kind }) => kind !== "generated"),
      })),
    }));
  });
  const locked = () => readLock(scene.repo).artefacts.map(({ path }) => path);

  test("stays, in the lock too, and is told each time", async () => {
    for (let run = 0; run < 2; run += 1) {
      const { exitCode, stdout } = await scene.sync();
      expect(exitCode).toBe(EXIT.ok);
      expect(stdout).toContain(
        `wasmagent-js/${TYPES}:1:1  (line)  warning: is in rollout-wire.lock.json, and the registry does not have it any more: sync with --prune  (unexpected)`,
      );
    }
    expect([Object.keys(scene.files()).sort(), locked()]).toEqual([ALL, [FIXTURE, TYPES, SCHEMA]]);
  });

  test("goes with --prune", async () => {
    const { exitCode, stdout, stderr } = await scene.sync("--prune");
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      `wasmagent-js  wasmagent-js\n  remove     ${TYPES}\n  write      rollout-wire.lock.json\n`,
    ]);
    expect(stderr).toContain(`git -C wasmagent-js rm --ignore-unmatch ${TYPES}\n`);
    expect(Object.keys(scene.files())).not.toContain(TYPES);
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
  });

  test("stays with --prune where somebody changed it, and is nobody's copy from then on", async () => {
    scene.edit(TYPES, (text) => `${text}// ours\n`);
    const { exitCode, stdout } = await scene.sync("--prune", "--force");
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain("warning: was changed here, and stays");
    expect(scene.read(TYPES)).toContain("// ours");
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });

  test("is forgotten where it is gone", async () => {
    rmSync(join(scene.repo, TYPES));
    const { stdout } = await scene.sync();
    expect(stdout).toContain(`  forget     ${TYPES}\n`);
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
  });
});

describe("a repository that is pinned to an old version", () => {
  test("gets the schema as it was published, and keeps what only it has", async () => {
    await scene.sync();
    const former = scene.files();
    scene.raise();
    scene.editRegistry((registry) => pinTo(registry, "1.0.0", ["schema", "generated", "fixture"]));
    rmSync(join(scene.repo, SCHEMA));
    const { exitCode, stderr } = await scene.sync();
    expect(exitCode).toBe(EXIT.ok);
    expect(stderr).toContain("3 copies: 1 created, 2 up to date\n");
    expect({ ...scene.files(), [LOCK]: "" }).toEqual({ ...former, [LOCK]: "" });
    const [schema] = readLock(scene.repo).artefacts.filter(({ kind }) => kind === "schema");
    expect(schema).toMatchObject({
      version: "1.0.0",
      source: "schema/released/rollout-wire/v1.schema.json",
    });
  });

  test("is told what nobody has any more, --force or not", async () => {
    scene.raise();
    scene.editRegistry((registry) => pinTo(registry, "1.0.0", ["generated"]));
    for (const argv of [[], ["--force"]]) {
      const { exitCode, stdout } = await scene.sync(...argv);
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toContain(
        "is to be of rollout-wire 1.0.0, an old version of which only schemas are kept: raise its version in schema/registry.json to 1.1.0, or sync with the rollout-wire that had this rollout-wire  (unavailable)",
      );
    }
    expect(scene.files()).toEqual({});
  });
});

describe("a first sync of what nobody has any more", () => {
  beforeEach(() => {
    scene.raise();
    scene.editRegistry((registry) => pinTo(registry, "1.0.0", ["schema", "generated", "fixture"]));
  });
  const MESSAGE = "raise its version in schema/registry.json to 1.1.0";

  test("tells so of each artefact, where there is nothing that could be locked", async () => {
    const { exitCode, stdout, stderr } = await scene.syncTo("bscode=wasmagent-js");
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout.split("\n").filter((line) => line.includes("(unavailable)"))).toEqual([
      expect.stringMatching(`^wasmagent-js/src/rollout-wire.d.ts:1:1 .*${MESSAGE}`),
      expect.stringMatching(`^wasmagent-js/${FIXTURE}:1:1 .*${MESSAGE}`),
    ]);
    expect(stdout).not.toContain(LOCK);
    expect(stderr).toContain("2 copies: 2 refused; nothing is written\n");
    expect(scene.files()).toEqual({});
  });

  test("tells so of a folder, be it there or not", async () => {
    for (const path of ["NOTES.md", "src/rollout_wire/ours.py"]) {
      scene.write(path, "");
      const { exitCode, stdout } = await scene.syncTo("trace-pipeline=wasmagent-js", "--force");
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toMatch(new RegExp(`wasmagent-js/src/rollout_wire:1:1 .*${MESSAGE}`));
      expect(stdout).not.toContain("delete it");
    }
  });
});

describe("a lock that says nothing", () => {
  test.each<[what: string, change: (text: string) => string, message: string]>([
    ["is not JSON", () => "<<<<<<< HEAD\n", "1:1  (line)  is not JSON"],
    [
      "is of another format",
      (text) => text.replace("lock/v1", "lock/v9"),
      '/lock_version  must be "lock/v1"',
    ],
    [
      "is another's",
      (text) => text.replace('"wasmagent-js"', '"bscode"'),
      "/repository  is the lock of bscode, not of wasmagent-js",
    ],
  ])("since it %s", async (_what, change, message) => {
    await scene.sync();
    scene.edit(LOCK, change);
    const files = scene.files();
    const { exitCode, stdout } = await scene.sync();
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toContain(message);
    expect(stdout).toContain("mend it, or have it written anew with --force");
    expect(scene.files()).toEqual(files);
    expect(await scene.sync("--force")).toMatchObject({ exitCode: EXIT.ok });
    expect(readLock(scene.repo).repository).toBe("wasmagent-js");
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });
});

describe("what cannot be is one line, and nothing is lost", () => {
  const outcomeOf = async (...argv: string[]) => {
    const { exitCode, stdout, stderr } = await scene.syncTo(...argv);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return [exitCode, stderr.trimEnd()];
  };

  test.each([
    [
      ["wasmagent=wasmagent-js"],
      EXIT.usage,
      "--repo wasmagent: the registry knows no such repository (did you mean wasmagent-js?)",
    ],
    [
      ["wasmagent-js"],
      EXIT.usage,
      "--repo wasmagent-js: write <name>=<place>, with a name of wasmagent-js, trace-pipeline, bscode, eliza-rollout-plugin",
    ],
    [["wasmagent-js=nowhere"], EXIT.unreadable, "nowhere: no such folder"],
    [["wasmagent-js=wasmagent-js#main"], EXIT.unreadable, "wasmagent-js#main: no such folder"],
    [["bscode=wasmagent-js", "bscode=."], EXIT.usage, "--repo bscode: is named twice"],
    [
      ["bscode=wasmagent-js", "wasmagent-js=./wasmagent-js"],
      EXIT.usage,
      "--repo ./wasmagent-js: is named for two repositories",
    ],
  ])("%j", async (argv, exitCode, message) => {
    expect(await outcomeOf(...argv)).toEqual([exitCode, message]);
  });

  test("a repository that is where the copies come from", async () => {
    const [exitCode, message] = await outcomeOf(`wasmagent-js=${scene.source}`);
    expect(exitCode).toBe(EXIT.usage);
    expect(message).toContain("is where the copies come from, not wasmagent-js");
  });

  test.each<[what: string, prepare: () => void, message: string]>([
    [
      "a link for a copy",
      () => {
        scene.write("elsewhere.json", "mine");
        mkdirSync(join(scene.repo, "packages/core/src/ranking/schemas"), { recursive: true });
        symlinkSync("../../../../../elsewhere.json", join(scene.repo, SCHEMA));
      },
      `wasmagent-js/${SCHEMA}: is a symbolic link, and nothing is written through links: put a file in its place`,
    ],
    [
      "a link on the way that leads out",
      () => symlinkSync("..", join(scene.repo, "packages")),
      "wasmagent-js/packages: is a symbolic link, and nothing is written through links: put a folder in its place",
    ],
    [
      "a link for the lock",
      () => symlinkSync("/nowhere", join(scene.repo, LOCK)),
      `wasmagent-js/${LOCK}: is a symbolic link, and nothing is written through links: put a file in its place`,
    ],
    [
      "a folder for a copy",
      () => scene.write(`${TYPES}/inner.txt`, "mine"),
      `wasmagent-js/${TYPES}: is a folder, and a file is to be there: move it away`,
    ],
    [
      "a file for a folder",
      () => scene.write("fixtures", "mine"),
      "wasmagent-js/fixtures: is a file, and a folder is to be there: move it away",
    ],
  ])("%s", async (_what, prepare, message) => {
    prepare();
    const listing = execFileSync("find", ["."], { cwd: scene.repo, encoding: "utf8" });
    expect(await outcomeOf("wasmagent-js=wasmagent-js", "--force")).toEqual([
      EXIT.unreadable,
      message,
    ]);
    expect(execFileSync("find", ["."], { cwd: scene.repo, encoding: "utf8" })).toBe(listing);
  });

  test("a source that is not there", async () => {
    renameSync(join(scene.source, "fixtures"), join(scene.source, "aside"));
    const [exitCode, message] = await outcomeOf("wasmagent-js=wasmagent-js");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(message).toContain("fixtures/golden/data-loop/input.jsonl: is not there");
  });

  test("a repository that holds no copies", async () => {
    scene.editRegistry((registry) => ({
      ...registry,
      repositories: registry.repositories.map((each) => ({ ...each, artefacts: [] })),
    }));
    const [exitCode, message] = await outcomeOf("wasmagent-js=wasmagent-js");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(message).toContain("names no copies that wasmagent-js holds");
  });
});

test("a file among copies that nobody copied is told, and is the user's to delete", async () => {
  await scene.syncTo("trace-pipeline=wasmagent-js");
  scene.write("src/rollout_wire/extra.py", "x\n");
  scene.write("src/ours.py", "x\n");
  for (const argv of [[], ["--prune", "--force"]]) {
    const { exitCode, stdout } = await scene.syncTo("trace-pipeline=wasmagent-js", ...argv);
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      "wasmagent-js/src/rollout_wire/extra.py:1:1  (line)  warning: lies among copies, and is no copy of anything: delete it  (unexpected)\n",
    ]);
  }
  expect(scene.read("src/rollout_wire/extra.py")).toBe("x\n");
});

test("a file that a killed run left is told", async () => {
  const stray = "packages/core/src/ranking/.rollout-wire-01234567-89ab-cdef-0123-456789abcdef.tmp";
  scene.write(stray, "half");
  const { exitCode, stdout } = await scene.sync();
  expect(exitCode).toBe(EXIT.ok);
  expect(stdout).toContain(
    `wasmagent-js/${stray}:1:1  (line)  warning: was left by a run that was killed: remove it  (stray)`,
  );
});

test("what is done stands on standard error where a program reads the findings", async () => {
  const { stdout, stderr } = await scene.sync("--format", "github");
  expect(stdout).toBe("");
  expect(stderr).toContain(`  create     ${SCHEMA}  rollout-wire 1.0.0\n`);
});
