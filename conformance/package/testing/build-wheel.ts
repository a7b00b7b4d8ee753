import { cpSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/base/package.js";
import { makeOnce } from "../../../src/base/testing/make-once.js";
import { DEV_TOOLS, ensurePythonEnv } from "../../python-env.js";
import { installPackage } from "./install-package.js";
import { runTool } from "./run-tool.js";

/** A folder with the sdist of the Python package and the wheel that was built from it, once per test run. */
export function buildWheel(): string {
  const folder = makeOnce("wheel", (path) => {
    const installed = installPackage();
    try {
      // The npm package has the built program, and everything else at the same places as a checkout.
      runTool("tar", ["-xzf", installed.tarball], path);
      const checkout = join(path, "package");
      const project = "integrations/python";
      const filter = (file: string): boolean => !file.endsWith("__pycache__");
      cpSync(join(packageRoot(), project), join(checkout, project), { recursive: true, filter });
      const python = ensurePythonEnv(packageRoot(), DEV_TOOLS);
      runTool(python, ["-m", "build", "--outdir", join(path, "dist"), project], checkout);
    } finally {
      installed.remove();
    }
  });
  return join(folder, "dist");
}
