import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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
