import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../src/base/user-error.js";

/**
 * Installs the packages of a folder with a `package-lock.json`, unless they are up to date. Throws UserError
 * if npm fails.
 */
export function ensureNpmPackages(folder: string): void {
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  // The installed lock file. Written last, so that an interrupted installation is repeated.
  const stamp = join(folder, "node_modules", "installed-package-lock.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  const flags = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  const { error, status, stderr } = spawnSync("npm", ["ci", ...flags], {
    cwd: folder,
    encoding: "utf8",
  });
  if (error !== undefined || status !== 0) {
    const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
    throw new UserError(`npm ci in ${folder} failed: ${reason}`);
  }
  writeFileSync(stamp, lock);
}
