import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../base/user-error.js";
import { readLock } from "../../contract/drift/lock.js";
import { createScene, FIXTURE, LOCK, SCHEMA, type Scene, TYPES } from "./testing/create-scene.js";

const ALL = [FIXTURE, SCHEMA, TYPES, LOCK].sort();

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

describe("a retired copy", () => {
  beforeEach(async () => {
    await scene.sync();
    scene.configure((config) => ({
      ...config,
      artefacts: config.artefacts.filter(({ path }) => path !== TYPES),
    }));
  });
  const locked = () => readLock(scene.repo).artefacts.map(({ path }) => path);

  test("stays, also in the lock, and is reported each time", async () => {
    for (let run = 0; run < 2; run += 1) {
      const { exitCode, stdout } = await scene.sync();
      expect(exitCode).toBe(EXIT.ok);
      expect(stdout).toContain(
        `wasmagent-js/${TYPES}:1:1  (line)  warning: is in rollout-wire.lock.json, but no longer in rollout-wire.config.json: sync with --prune  (unexpected)`,
      );
    }
    expect([Object.keys(scene.files()).sort(), locked()]).toEqual([ALL, [FIXTURE, TYPES, SCHEMA]]);
  });

  test("is removed with --prune", async () => {
    const { exitCode, stdout, stderr } = await scene.sync("--prune");
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      `wasmagent-js  wasmagent-js\n  remove     ${TYPES}\n  write      rollout-wire.lock.json\n`,
    ]);
    expect(stderr).toContain(`git -C wasmagent-js rm --ignore-unmatch ${TYPES}\n`);
    expect(Object.keys(scene.files())).not.toContain(TYPES);
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
  });

  test("stays with --prune if it was changed, but is removed from the lock", async () => {
    scene.edit(TYPES, (text) => `${text}// ours\n`);
    const { exitCode, stdout } = await scene.sync("--prune", "--force");
    expect(exitCode).toBe(EXIT.ok);
    expect(stdout).toContain("warning: was changed here, so it stays");
    expect(scene.read(TYPES)).toContain("// ours");
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
    expect(await scene.sync()).toMatchObject({ exitCode: EXIT.ok, stdout: "" });
  });

  test("is removed from the lock if it no longer exists", async () => {
    rmSync(join(scene.repo, TYPES));
    const { stdout } = await scene.sync();
    expect(stdout).toContain(`  forget     ${TYPES}\n`);
    expect(locked()).toEqual([FIXTURE, SCHEMA]);
  });
});

test("an unexpected file among copies is reported, and not touched", async () => {
  await scene.adopt("trace-pipeline");
  scene.write("src/rollout_wire/extra.py", "x\n");
  scene.write("src/ours.py", "x\n");
  for (const argv of [[], ["--prune", "--force"]]) {
    const { exitCode, stdout } = await scene.syncTo("trace-pipeline=wasmagent-js", ...argv);
    expect([exitCode, stdout]).toEqual([
      EXIT.ok,
      "wasmagent-js/src/rollout_wire/extra.py:1:1  (line)  warning: is in a folder of copies, but is not a copy: delete it  (unexpected)\n",
    ]);
  }
  expect(scene.read("src/rollout_wire/extra.py")).toBe("x\n");
});

test("the lock of a run that writes the folder is no unexpected file", async () => {
  await scene.adopt("trace-pipeline");
  const lock = "src/rollout_wire/.rollout-wire-0123456789abcdef.lock/owner";
  scene.write(lock, "");
  const { exitCode, stdout } = await scene.syncTo("trace-pipeline=wasmagent-js");
  expect([exitCode, stdout, scene.read(lock)]).toEqual([EXIT.ok, "", ""]);
});
