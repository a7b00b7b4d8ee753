import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HOME = fileURLToPath(new URL("../../..", import.meta.url));

/** The program as it is published. */
export interface BuiltProgram {
  /** What Node runs. */
  readonly main: string;
  remove(): void;
}

/** Bundles the program into a temporary folder: it then starts at once, and nothing else writes there. */
export function buildProgram(): BuiltProgram {
  const folder = mkdtempSync(join(tmpdir(), "rollout-wire-built-"));
  const remove = () => rmSync(folder, { recursive: true });
  const bin = join(folder, "dist/bin");
  try {
    execFileSync("npm", ["run", "--silent", "bundle", "--", `--outdir=${bin}`], { cwd: HOME });
  } catch (error) {
    remove();
    throw error;
  }
  copyFileSync(join(HOME, "package.json"), join(folder, "package.json"));
  for (const name of ["generated", "schema", "node_modules"]) {
    symlinkSync(join(HOME, name), join(folder, name));
  }
  return {
    main: join(bin, "main.js"),
    remove,
  };
}
