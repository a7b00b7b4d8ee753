import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyRepository } from "../../../scripts/testing/copy-repository.js";
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

/** The package as it is published, installed in a folder by which a test may do as it likes. */
export interface InstalledPackage {
  /** Where somebody works who installed it. */
  readonly folder: string;
  readonly tarball: string;
  /** From which it was packed. */
  readonly commit: string;
  remove(): void;
}

/** Packs the package, in a copy of the repository so that nobody is disturbed, and installs it. */
export function installPackage(): InstalledPackage {
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-consumer-"));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  const folder = join(root, "consumer");
  mkdirSync(folder);
  const copy = copyRepository(PARTS);
  try {
    const commit = commitAll(copy.root);
    runTool("npm", ["pack", "--silent", "--pack-destination", root], copy.root);
    const tarball = join(root, readdirSync(root).find((file) => file.endsWith(".tgz")) ?? "");
    const manifest = '{"name": "consumer", "private": true, "type": "module"}\n';
    writeFileSync(join(folder, "package.json"), manifest);
    const flags = ["--silent", "--prefer-offline", "--no-audit", "--no-fund"];
    runTool("npm", ["install", ...flags, tarball], folder);
    return { folder, tarball, commit, remove };
  } catch (error) {
    remove();
    throw error;
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
