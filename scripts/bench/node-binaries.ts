import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../src/base/user-error.js";

/** An installed version of Node. */
export interface NodeBinary {
  /** Such as `24.21.0`. */
  readonly version: string;
  /** Path of the executable. */
  readonly path: string;
}

/** The current Node LTS. */
export const LTS_NODE = "24.21.0";

/** How a version is called in the table: `Node 24`. */
export function nameNode({ version }: NodeBinary): string {
  return `Node ${version.split(".")[0]}`;
}

/** Finds a version of Node. If it is not the running one, its package is installed. Throws UserError if that fails. */
export function ensureNode(root: string, version: string): NodeBinary {
  if (version === process.versions.node) return { version, path: process.execPath };
  return { version, path: ensurePackageFile(root, "node", version, "bin/node") };
}

/**
 * Finds a file of a package, which npm installs on first use into a cache below `node_modules`.
 * Throws UserError if that fails.
 */
export function ensurePackageFile(
  root: string,
  name: string,
  version: string,
  file: string,
): string {
  const folder = join(root, `node_modules/.cache/bench-${name}`, version);
  const path = join(folder, "node_modules", name, file);
  if (!existsSync(path)) install(folder, name, version);
  return path;
}

function install(folder: string, name: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  // The script of the package `node` installs the binary for this machine.
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--ignore-scripts=false"];
  const { error, status, stderr } = spawnSync("npm", ["install", ...flags, `${name}@${version}`], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim().split("\n").at(-1) ?? "";
  throw new UserError(`npm install ${name}@${version} failed: ${reason}`);
}
