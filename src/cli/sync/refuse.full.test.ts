import { realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { withStaging } from "../../base/files/staging.js";
import { EXIT } from "../../base/user-error.js";
import { readLock } from "../../contract/drift/lock.js";
import { schemaHashes } from "../../contract/schemas/hashes.js";
import { createScene, FIXTURE, LOCK, SCHEMA, type Scene, TYPES } from "./testing/create-scene.js";

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

/** A refused sync changes no file. A forced sync updates the copy. */
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

  test("according to its lock, whatever its bytes", async () => {
    scene.edit(LOCK, (text) => text.replaceAll('"version": "1.0.0"', '"version": "1.2.0"'));
    await expectRefusal(SCHEMA, "is ahead of rollout-wire 1.0.0: its lock has rollout-wire 1.2.0");
  });

  test("according to its $id", async () => {
    scene.edit(SCHEMA, (text) => text.replace("rollout-wire/v1", "rollout-wire/v2"));
    await expectRefusal(SCHEMA, 'is ahead of rollout-wire 1.0.0: its "$id" ends with v2');
  });

  test("according to the program that wrote its lock", async () => {
    scene.edit(LOCK, (text) => text.replace(/"tool_version": ".*"/, '"tool_version": "99.0.0"'));
    scene.editSource("generated/typescript/rollout-wire.d.ts", (text) => `${text}//\n`);
    await expectRefusal(
      TYPES,
      "is ahead of rollout-wire 1.0.0: its lock is of a later rollout-wire",
    );
  });

  test("according to a published version", async () => {
    rmSync(join(scene.repo, LOCK));
    scene.raise();
    scene.edit(SCHEMA, () => scene.readSource("schema/rollout-wire.schema.json"));
    scene.pin("1.0.0", ["schema"]);
    await expectRefusal(SCHEMA, "is ahead of rollout-wire 1.0.0: it is rollout-wire 1.1.0");
  });
});

describe("a changed copy is not overwritten", () => {
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
      "changed here, in formatting only",
    ],
    ["its byte-order mark", TYPES, (text) => `\ufeff${text}`, "in formatting only"],
    [
      "its descriptions",
      SCHEMA,
      (text) => text.replace('"description": "', '"description": "Ours: '),
      "was changed here, in documentation only: undo the change, or overwrite it with --force",
    ],
    ["what was JSON", SCHEMA, () => "<<<<<<< HEAD", "was changed here: undo the change"],
    ["a record", FIXTURE, (text) => text.replace('"rank":1', '"rank":2'), "was changed here:"],
  ])("%s", async (_what, path, change, message) => {
    scene.edit(path, change);
    await expectRefusal(path, message);
  });

  test("nor is its lock", async () => {
    scene.edit(SCHEMA, (text) => text.replace('"minimum": 1', '"minimum": 2'));
    const { bytes, canonical, contract } = schemaHashes(scene.read(SCHEMA));
    const published = schemaHashes(scene.readSource("schema/rollout-wire.schema.json"));
    scene.edit(LOCK, (text) =>
      text
        .replace(published.bytes, bytes)
        .replace(published.canonical, canonical)
        .replace(published.contract, contract),
    );
    await expectRefusal(SCHEMA, "was changed here: undo the change");
  });

  test("the finding shows the position, the diff and the breaks", async () => {
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

  test("nor is any other copy", async () => {
    scene.edit(FIXTURE, (text) => `${text}{}\n`);
    rmSync(join(scene.repo, TYPES));
    const files = scene.files();
    const { exitCode, stderr } = await scene.sync();
    expect([exitCode, stderr]).toEqual([
      EXIT.findings,
      "  wasmagent-js       3 copies: 1 to create, 1 refused, 1 up to date; nothing is written\n",
    ]);
    expect(scene.files()).toEqual(files);
  });

  test("nor with --force if no warning is allowed", async () => {
    scene.edit(FIXTURE, (text) => `${text}{}\n`);
    const files = scene.files();
    const { exitCode, stderr } = await scene.sync("--force", "--max-warnings", "0");
    expect(exitCode).toBe(EXIT.findings);
    expect(stderr).toContain("nothing is written");
    expect(scene.files()).toEqual(files);
  });
});

test("nor is a copy that was never published, without a lock that identifies it", async () => {
  scene.write(TYPES, "export type Ours = string;\n");
  scene.write(SCHEMA, scene.readSource("schema/rollout-wire.schema.json"));
  await expectRefusal(
    TYPES,
    "was never copied here, and is not a published rollout-wire: replace it with --adopt",
  );
});

test("a repository that another run is writing is refused, and a dry run is not", async () => {
  await withStaging({}, async (staging) => {
    await staging.reserve([join(realpathSync(scene.repo), LOCK)]);
    const { exitCode, stdout, stderr } = await scene.sync();
    expect([exitCode, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toMatch(
      /^output \S+\/rollout-wire\.lock\.json: process \d+ is writing it: .*\n$/,
    );
    expect((await scene.sync("--dry-run")).exitCode).toBe(EXIT.ok);
  });
  expect(scene.files()).toEqual({});
});

describe("an unusable lock", () => {
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
    expect(stdout).toContain("fix it, or rewrite it with --force");
    expect(scene.files()).toEqual(files);
    expect(await scene.sync("--force")).toMatchObject({ exitCode: EXIT.ok });
    expect(readLock(scene.repo).repository).toBe("wasmagent-js");
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });
});
