import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPO_ROOT } from "../../scripts/run-script.js";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import { runTool } from "./testing/run-tool.js";

test("Python code passes pyright in strict mode", () => {
  ensurePythonEnv(REPO_ROOT, DEV_TOOLS);
  const config: unknown = JSON.parse(readFileSync(join(REPO_ROOT, "pyrightconfig.json"), "utf8"));
  expect(config).toMatchObject({ typeCheckingMode: "strict" });
  const pyright = join(REPO_ROOT, "node_modules/pyright/index.js");
  const { summary } = JSON.parse(runTool(process.execPath, [pyright, "--outputjson"], REPO_ROOT));
  expect(summary).toMatchObject({ errorCount: 0, warningCount: 0 });
  expect(summary.filesAnalyzed).toBeGreaterThan(20);
});
