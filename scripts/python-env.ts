import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../src/user-error.js";
import { HOME } from "./home.js";

const ENVIRONMENT = join(HOME, ".venv");
const REQUIREMENTS = join(HOME, "requirements-dev.txt");
/** Holds the requirements that are installed; written last, so that half an installation is redone. */
const STAMP = join(ENVIRONMENT, "installed-requirements.txt");

/**
 * Path of the Python of the project's own virtual environment, made or brought up to date first.
 * Throws UserError when python3 is missing or the packages cannot be installed.
 */
export function ensurePythonEnv(): string {
  const python = join(ENVIRONMENT, "bin", "python");
  const requirements = readFileSync(REQUIREMENTS, "utf8");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === requirements) return python;
  run("python3", ["-m", "venv", "--clear", ENVIRONMENT]);
  run(python, [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "-r",
    REQUIREMENTS,
  ]);
  writeFileSync(STAMP, requirements);
  return python;
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error !== undefined) {
    throw new UserError(
      `${command} cannot be run (${error.message}): install Python 3.10 or later`,
    );
  }
  if (status !== 0) {
    const reason = stderr.trim().split("\n").at(-1) ?? "";
    throw new UserError(`${command} ${args.slice(0, 3).join(" ")} failed: ${reason}`);
  }
}
