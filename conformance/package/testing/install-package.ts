import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyRepository } from "../../../src/base/testing/copy-repository.js";
import { makeOnce } from "../../../src/base/testing/make-once.js";
import { runTool } from "./run-tool.js";

/** The sources of the package. */
const PARTS = [
  "LICENSE",
  "README.md",
  "conformance",
  "docs/rules",
  "fixtures/golden/data-loop",
  "generated",
  "package.json",
  "schema",
  "scripts",
  "src",
  "tsconfig.build.json",
  "tsconfig.json",
  "tsconfig.pages.json",
];

/** In the folder of the run: where the package is installed, its commit, and what npm printed. */
const CONSUMER = "consumer";
const COMMIT = "commit.txt";
const PRINTED = "installation.txt";

/** The published package, installed in a folder that a test may modify. */
export interface InstalledPackage {
  /** The working folder of the user who installed it. */
  readonly folder: string;
  readonly tarball: string;
  /** The commit that it was packed from. */
  readonly commit: string;
  /** What npm and the scripts of packages printed when it was installed. */
  readonly printed: string;
  remove(): void;
}

/** Returns a new folder with the package, which is packed and installed once per test run. */
export function installPackage(): InstalledPackage {
  const shared = makeOnce("package", packAndInstall);
  const tarball = join(shared, readdirSync(shared).find((file) => file.endsWith(".tgz")) ?? "");
  const commit = readFileSync(join(shared, COMMIT), "utf8");
  const printed = readFileSync(join(shared, PRINTED), "utf8");
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-consumer-"));
  const folder = join(root, CONSUMER);
  // The links to its commands are relative, and must stay so.
  cpSync(join(shared, CONSUMER), folder, { recursive: true, verbatimSymlinks: true });
  return {
    folder,
    tarball,
    commit,
    printed,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Packs the package in a copy of the repository, and installs it. */
function packAndInstall(root: string): void {
  const folder = join(root, CONSUMER);
  mkdirSync(folder);
  const copy = copyRepository(PARTS);
  try {
    writeFileSync(join(root, COMMIT), commitAll(copy.root));
    runTool("npm", ["pack", "--silent", "--pack-destination", root], copy.root);
    const tarball = join(root, readdirSync(root).find((file) => file.endsWith(".tgz")) ?? "");
    const manifest = '{"name": "consumer", "private": true, "type": "module"}\n';
    writeFileSync(join(folder, "package.json"), manifest);
    const flags = ["--foreground-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    const install = spawnSync("npm", ["install", ...flags, tarball], {
      cwd: folder,
      encoding: "utf8",
    });
    const printed = install.stdout + install.stderr;
    if (install.status !== 0) throw new Error(printed);
    writeFileSync(join(root, PRINTED), printed);
  } finally {
    copy.remove();
  }
}

/** Turns a copy into a git repository, with links to the packages of another one. */
function commitAll(root: string): string {
  writeFileSync(join(root, ".gitignore"), "node_modules\n.venv\ndist/\n__pycache__/\n");
  const git = (...args: string[]): string =>
    runTool("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], root);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "what is packed");
  return git("rev-parse", "HEAD").trim();
}
