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
  "src",
  "tsconfig.build.json",
  "tsconfig.json",
];

/** The package as it is published, installed in a folder by which a test may do as it likes. */
export interface InstalledPackage {
  /** Where somebody works who installed it. */
  readonly folder: string;
  readonly tarball: string;
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
    runTool("npm", ["pack", "--silent", "--pack-destination", root], copy.root);
    const tarball = join(root, readdirSync(root).find((file) => file.endsWith(".tgz")) ?? "");
    const manifest = '{"name": "consumer", "private": true, "type": "module"}\n';
    writeFileSync(join(folder, "package.json"), manifest);
    const flags = ["--silent", "--prefer-offline", "--no-audit", "--no-fund"];
    runTool("npm", ["install", ...flags, tarball], folder);
    return { folder, tarball, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    copy.remove();
  }
}
