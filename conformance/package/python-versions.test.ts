import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../../src/base/package.js";
import { PYTHON_VERSIONS } from "./testing/python-versions.js";
import { readCommandLines } from "./testing/read-command-lines.js";

const WORKFLOW = readFileSync(join(packageRoot(), ".github/workflows/python.yml"), "utf8");

test("the workflow installs the package on every version that the package names", () => {
  expect(PYTHON_VERSIONS.length).toBeGreaterThan(3);
  const { jobs } = parse(WORKFLOW);
  expect(jobs.install.strategy.matrix.python).toEqual(PYTHON_VERSIONS);
  expect(readCommandLines(WORKFLOW).map(({ script }) => script)).toEqual([
    "npm ci && npm run build",
    "pip install build",
    "python -m build --outdir wheels integrations/python",
    "python conformance/package/install_wheel.py wheels",
  ]);
});
