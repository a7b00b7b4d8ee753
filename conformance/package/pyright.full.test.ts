import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PYTEST, SOURCES } from "../../scripts/test-python.js";
import { packageRoot } from "../../src/base/package.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { runTool } from "./testing/run-tool.js";

test("Python code passes pyright in strict mode", () => {
  ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const config: unknown = JSON.parse(
    readFileSync(join(packageRoot(), "pyrightconfig.json"), "utf8"),
  );
  expect(config).toMatchObject({ typeCheckingMode: "strict" });
  const pyright = join(packageRoot(), "node_modules/pyright/index.js");
  const { summary } = JSON.parse(
    runTool(process.execPath, [pyright, "--outputjson"], packageRoot()),
  );
  expect(summary).toMatchObject({ errorCount: 0, warningCount: 0 });
  expect(summary.filesAnalyzed).toBeGreaterThan(20);
});

test("Python code passes mypy in strict mode for the newest Python", () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const argv = ["-m", "mypy", "--python-version", "3.13", ...SOURCES];
  expect(runTool(python, argv, packageRoot())).toMatch(
    /^Success: no issues found in \d+ source files\n$/,
  );
});

test("the tests of the Python package pass without msgspec", () => {
  const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
  const printed = runTool(python, [...PYTEST, "--without-msgspec"], packageRoot());
  expect(printed).toMatch(/^[1-9]\d* passed in /m);
});
