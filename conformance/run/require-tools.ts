import { createRequire } from "node:module";
import { join } from "node:path";
import { UserError } from "../../src/user-error.js";

/** Throws UserError (exit 3) when the checkout at `root` lacks that by which its own scripts are run. */
export function requireTools(root: string): void {
  try {
    createRequire(join(root, "package.json")).resolve("tsx");
  } catch {
    throw new UserError(
      "the development dependencies of the checkout are not installed, it has no tsx: run npm ci in it",
    );
  }
}
