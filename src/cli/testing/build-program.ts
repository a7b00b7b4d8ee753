import { execFileSync } from "node:child_process";
import { copyFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { REPO_ROOT } from "../../../scripts/run-script.js";
import { makeOnce } from "../../../scripts/testing/make-once.js";

/** The published program. */
export interface BuiltProgram {
  /** The file that Node runs. */
  readonly main: string;
}

/** Bundles the program once for all tests of a run. It then starts quickly. */
export function buildProgram(): BuiltProgram {
  const folder = makeOnce("program", (path) => {
    const outdir = join(path, "dist/bin");
    execFileSync("npm", ["run", "--silent", "bundle", "--", `--outdir=${outdir}`], {
      cwd: REPO_ROOT,
    });
    copyFileSync(join(REPO_ROOT, "package.json"), join(path, "package.json"));
    for (const name of ["generated", "schema", "node_modules"]) {
      symlinkSync(join(REPO_ROOT, name), join(path, name));
    }
  });
  return { main: join(folder, "dist/bin/main.js") };
}
