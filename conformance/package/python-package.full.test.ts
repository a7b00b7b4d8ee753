import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { createTestFolder } from "../../src/base/testing/run-in-folder.js";
import { EXIT } from "../../src/base/user-error.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { runTool } from "./testing/run-tool.js";

const place = mkdtempSync(join(tmpdir(), "rollout-wire-wheel-"));
const folder = createTestFolder();
afterAll(() => {
  rmSync(place, { recursive: true });
  folder.remove();
});

test("the installed wheel verifies copies without Node and git", async () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  // The build writes beside the sources.
  cpSync(join(packageRoot(), "generated/python"), join(place, "source"), { recursive: true });
  const pip = ["-m", "pip", "--disable-pip-version-check", "--quiet"];
  runTool(python, [...pip, "wheel", "--no-deps", "--wheel-dir", "wheels", "./source"], place);
  const install = [...pip, "install", "--no-index", "--find-links", "wheels"];
  runTool(python, [...install, "--target", "installed", "rollout-wire"], place);
  mkdirSync(join(folder.path, "repo"));
  const synced = await folder.run(["sync", "--repo", "trace-pipeline=repo"]);
  expect(synced.exitCode).toBe(EXIT.ok);

  const drift = () =>
    spawnSync(python, ["-m", "rollout_wire", "drift"], {
      cwd: join(folder.path, "repo"),
      encoding: "utf8",
      env: { PATH: "", PYTHONPATH: join(place, "installed") },
    });
  expect(drift()).toMatchObject({ status: EXIT.ok, stderr: expect.stringMatching(/^0 errors/) });
  rmSync(join(folder.path, "repo/src/rollout_wire/rollout_trace.py"));
  expect(drift()).toMatchObject({
    status: EXIT.findings,
    stdout: expect.stringContaining("src/rollout_wire/rollout_trace.py:1:1"),
  });
});
