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
import { copyRepository } from "../../../scripts/testing/copy-repository.js";
import { makeOnce } from "../../../scripts/testing/make-once.js";
import { runTool } from "./run-tool.js";

/** What the package is built and packed from. */
const PARTS = [
  "LICENSE",
  "README.md",
  "conformance",
  "fixtures/golden/data-loop",
  "generated",
  "package.json",
  "schema",
  "scripts",
  "src",
  "tsconfig.build.json",
  "tsconfig.json",
];

/** In the folder of the run: where the package is installed, and from which commit. */
const CONSUMER = "consumer";
const COMMIT = "commit.txt";

/** The package as it is published, installed in a folder by which a test may do as it likes. */
export interface InstalledPackage {
  /** Where somebody works who installed it. */
  readonly folder: string;
  readonly tarball: string;
  /** From which it was packed. */
  readonly commit: string;
  remove(): void;
}

/** A folder of the caller's own with the package, which is packed and installed once for all tests of a run. */
export function installPackage(): InstalledPackage {
  const shared = makeOnce("package", packAndInstall);
  const tarball = join(shared, readdirSync(shared).find((file) => file.endsWith(".tgz")) ?? "");
  const commit = readFileSync(join(shared, COMMIT), "utf8");
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-consumer-"));
  const folder = join(root, CONSUMER);
  // The links to its commands are relative: they must stay so.
  cpSync(join(shared, CONSUMER), folder, { recursive: true, verbatimSymlinks: true });
  return { folder, tarball, commit, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Packs the package, in a copy of the repository so that nobody is disturbed, and installs it. */
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
    const flags = ["--silent", "--prefer-offline", "--no-audit", "--no-fund"];
    runTool("npm", ["install", ...flags, tarball], folder);
  } finally {
    copy.remove();
  }
}

/** Makes a repository of a copy, which has the packages of another as links. */
function commitAll(root: string): string {
  writeFileSync(join(root, ".gitignore"), "node_modules\n.venv\ndist/\n__pycache__/\n");
  const git = (...args: string[]): string =>
    runTool("git", ["-c", "user.name=t", "-c", "user.email=t@t.example", ...args], root);
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "what is packed");
  return git("rev-parse", "HEAD").trim();
}
