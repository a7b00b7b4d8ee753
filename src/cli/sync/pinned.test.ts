import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../base/user-error.js";
import { readLock } from "../../contract/drift/lock.js";
import { createScene, FIXTURE, LOCK, SCHEMA, type Scene } from "./testing/create-scene.js";

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

describe("a repository that is pinned to an old version", () => {
  test("gets the published schema, and keeps its own files", async () => {
    await scene.sync();
    const former = scene.files();
    scene.raise();
    scene.pin("1.0.0");
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

  test("reports unavailable copies, with and without --force", async () => {
    scene.raise();
    scene.pin("1.0.0", ["generated"]);
    for (const argv of [[], ["--force"]]) {
      const { exitCode, stdout } = await scene.sync(...argv);
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toContain(
        "is pinned at rollout-wire 1.0.0, an old version of which only schemas are available: raise its version in rollout-wire.config.json to 1.1.0, or sync with the rollout-wire that has this rollout-wire  (unavailable)",
      );
    }
    expect(scene.files()).toEqual({});
  });
});

describe("a first sync of unavailable copies", () => {
  beforeEach(() => {
    scene.raise();
    scene.pin("1.0.0");
  });
  const MESSAGE = "raise its version in rollout-wire.config.json to 1.1.0";

  test("reports each artefact if none could be locked", async () => {
    scene.become("bscode");
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

  test("reports a folder, whether it exists or not", async () => {
    scene.become("trace-pipeline");
    for (const path of ["NOTES.md", "src/rollout_wire/ours.py"]) {
      scene.write(path, "");
      const { exitCode, stdout } = await scene.syncTo("trace-pipeline=wasmagent-js", "--force");
      expect(exitCode).toBe(EXIT.findings);
      expect(stdout).toMatch(new RegExp(`wasmagent-js/src/rollout_wire:1:1 .*${MESSAGE}`));
      expect(stdout).not.toContain("delete it");
    }
  });
});
