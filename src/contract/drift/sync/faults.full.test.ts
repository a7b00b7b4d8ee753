import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../../../base/files/hash.js";
import { EXIT } from "../../../base/user-error.js";
import {
  createScene,
  LOCK,
  SCHEMA,
  type Scene,
  TYPES,
} from "../../../cli/sync/testing/create-scene.js";

let scene: Scene;
beforeEach(() => {
  scene = createScene();
});
afterEach(() => scene.remove());

describe("an impossible request is one line, and nothing is lost", () => {
  const outcomeOf = async (...argv: string[]) => {
    const { exitCode, stdout, stderr } = await scene.syncTo(...argv);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return [exitCode, stderr.trimEnd()];
  };

  test.each([
    [
      ["wasmagent=wasmagent-js"],
      EXIT.unreadable,
      "wasmagent-js/rollout-wire.config.json:3:17 /repository is wasmagent-js, but the repository was named wasmagent",
    ],
    [["wasmagent-js=nowhere"], EXIT.unreadable, "nowhere: no such folder"],
    [["wasmagent-js=wasmagent-js#main"], EXIT.unreadable, "wasmagent-js#main: no such folder"],
    [
      ["wasmagent-js=wasmagent-js", "wasmagent-js=."],
      EXIT.usage,
      "--repo wasmagent-js: is named twice",
    ],
    [["one=.", "other=./"], EXIT.usage, "--repo ./: is given for two repositories"],
  ])("%j", async (argv, exitCode, message) => {
    expect(await outcomeOf(...argv)).toEqual([exitCode, message]);
  });

  test("a repository that is the source of the copies", async () => {
    const [exitCode, message] = await outcomeOf(`wasmagent-js=${scene.source}`);
    expect(exitCode).toBe(EXIT.usage);
    expect(message).toContain("is where the copies come from, not a repository of copies");
  });

  test.each<[what: string, prepare: () => void, message: string]>([
    [
      "a link in place of a copy",
      () => {
        scene.write("elsewhere.json", "mine");
        mkdirSync(join(scene.repo, "packages/core/src/ranking/schemas"), { recursive: true });
        symlinkSync("../../../../../elsewhere.json", join(scene.repo, SCHEMA));
      },
      `wasmagent-js/${SCHEMA}: is a symbolic link, and sync does not write through links: replace it by a file`,
    ],
    [
      "a parent link that leads out of the repository",
      () => symlinkSync("..", join(scene.repo, "packages")),
      "wasmagent-js/packages: is a symbolic link, and sync does not write through links: replace it by a folder",
    ],
    [
      "a link in place of the lock",
      () => symlinkSync("/nowhere", join(scene.repo, LOCK)),
      `wasmagent-js/${LOCK}: is a symbolic link, and sync does not write through links: replace it by a file`,
    ],
    [
      "a folder in place of a copy",
      () => scene.write(`${TYPES}/inner.txt`, "mine"),
      `wasmagent-js/${TYPES}: is a folder where a file is needed: move it away`,
    ],
    [
      "a file in place of a folder",
      () => scene.write("fixtures", "mine"),
      "wasmagent-js/fixtures: is a file where a folder is needed: move it away",
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

  test("a lock that lists git's own files", async () => {
    await scene.sync();
    const config = scene.read(".git/config");
    scene.edit(LOCK, (text) => {
      const lock = JSON.parse(text);
      const [first] = lock.artefacts;
      const hashes = { bytes: sha256(config) };
      lock.artefacts.push({ ...first, kind: "fixture", path: ".git/config", hashes });
      return JSON.stringify(lock);
    });
    expect(await outcomeOf("wasmagent-js=wasmagent-js", "--prune")).toEqual([
      EXIT.unreadable,
      `wasmagent-js/.git/config: belongs to git, and sync does not touch it: remove it from ${LOCK}`,
    ]);
    expect(scene.read(".git/config")).toBe(config);
  });

  test.each(["text", "json", "sarif", "junit", "github"])(
    "a URL with a password, as %s",
    async (format) => {
      const { stdout, stderr } = await scene.syncTo(
        "bscode=https://ada:pa55@host/x",
        "--format",
        format,
      );
      expect(stdout + stderr).toContain("https://***@host/x: no such folder");
      expect(stdout + stderr).not.toContain("pa55");
    },
  );

  test("a missing source", async () => {
    renameSync(join(scene.source, "fixtures"), join(scene.source, "aside"));
    const [exitCode, message] = await outcomeOf("wasmagent-js=wasmagent-js");
    expect(exitCode).toBe(EXIT.unreadable);
    expect(message).toMatch(
      /config\.json:\d+:\d+ \/artefacts\/2\/source is not a file or folder of/,
    );
  });

  test("a configuration without copies", async () => {
    scene.configure((config) => ({ ...config, artefacts: [] }));
    expect(await outcomeOf("wasmagent-js=wasmagent-js")).toEqual([
      EXIT.unreadable,
      'wasmagent-js/rollout-wire.config.json: lists no copies: add them to "artefacts"',
    ]);
  });

  test("a repository without a configuration, which is told how to get one", async () => {
    rmSync(join(scene.repo, "rollout-wire.config.json"));
    expect(await outcomeOf("wasmagent-js=wasmagent-js")).toEqual([
      EXIT.unreadable,
      "wasmagent-js/rollout-wire.config.json: no such file, so nothing says which copies belong where: run rollout-wire init wasmagent-js --write, which proposes it",
    ]);
    expect(scene.files()).toEqual({});
  });
});
