import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { buildWheel } from "./testing/build-wheel.js";
import { PYTHON_VERSIONS } from "./testing/python-versions.js";
import { runTool } from "./testing/run-tool.js";

/** The workflow `python` runs the same program on each of them. */
const PYTHONS = PYTHON_VERSIONS.map((version) => `python${version}`);

const here = PYTHONS.filter((python) => spawnSync(python, ["--version"]).status === 0);

test("at least one supported Python is here", () => {
  const missing = PYTHONS.filter((python) => !here.includes(python));
  process.stderr.write(
    `the wheel is tested with ${here.join(", ")}; not here: ${missing.join(", ")}\n`,
  );
  expect(here).not.toEqual([]);
});

test.each(here)("the wheel from the sdist installs and works on %s", (python) => {
  const program = join(packageRoot(), "conformance/package/install_wheel.py");
  expect(runTool(python, [program, buildWheel()], packageRoot())).toContain(
    "works, alone and with",
  );
});
