import { spawnSync } from "node:child_process";
import { UserError } from "../../src/user-error.js";
import { HOME } from "../home.js";

/** Builds `dist`, so that what is measured is the source as it is now. Throws UserError when it fails. */
export function buildDist(): void {
  const { error, status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: HOME,
    encoding: "utf8",
  });
  if (status === 0) return;
  throw new UserError(`npm run build failed: ${error?.message ?? (stdout + stderr).trim()}`);
}
