import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRegistry } from "#generated/index.js";
import { REPO_ROOT } from "../run-script.js";

/** All that the maintainers' programs need of the repository: about 2,800 files. */
export const ALL_PARTS: readonly string[] = [
  "CHANGELOG.md",
  "conformance",
  "fixtures",
  "generated",
  "package.json",
  "requirements-dev.txt",
  "schema",
  "scripts",
  "src",
  "tsconfig.build.json",
  "tsconfig.json",
];

/** What the package managers made, which is too large to copy. */
const INSTALLED = ["node_modules", ".venv"];

/** A copy of the repository that a test may break. */
export interface RepositoryCopy {
  readonly root: string;
  /** Changes the text of a file; a change that changes nothing is a mistake of the test. */
  edit(path: string, change: (text: string) => string): void;
  /**
   * Runs `scripts/<name>.ts` of the copy in a process of its own, which needs ALL_PARTS; `runInProcess` runs it
   * on any copy, and at once.
   */
  run(name: string, ...args: string[]): { status: number | null; stdout: string; stderr: string };
  remove(): void;
}

/** Copies those parts of the repository, files and folders, that a test looks at. */
export function copyRepository(parts: readonly string[]): RepositoryCopy {
  const root = createFolder();
  for (const part of parts) cpSync(join(REPO_ROOT, part), join(root, part), { recursive: true });
  for (const part of INSTALLED) symlinkSync(join(REPO_ROOT, part), join(root, part));
  return openCopy(root);
}

/** A copy of a copy, so that what takes its time is done to one and used by many. */
export function duplicateCopy({ root }: RepositoryCopy): RepositoryCopy {
  const second = createFolder();
  cpSync(root, second, { recursive: true, verbatimSymlinks: true });
  return openCopy(second);
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), "rollout-wire-copy-"));
}

function openCopy(root: string): RepositoryCopy {
  return {
    root,
    edit(path, change) {
      const text = readFileSync(join(root, path), "utf8");
      const changed = change(text);
      if (changed === text) throw new Error(`the change of ${path} changes nothing`);
      writeFileSync(join(root, path), changed);
    },
    run(name, ...args) {
      const argv = ["--import", "tsx", `scripts/${name}.ts`, ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
        cwd: root,
        encoding: "utf8",
      });
      return { status, stdout, stderr };
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** The schemas without which none can be generated from: that of the registry, and what it refers to. */
const BASE_SCHEMAS = ["export-report", "registry"];

/**
 * A small copy: those of the schemas that a test looks at, with their published versions, in a registry that names
 * no others; and some parts of the repository. Its code is still to be generated. Generating for all schemas takes
 * several times as long.
 */
export function copySchemas(
  names: readonly string[],
  parts: readonly string[] = [],
): RepositoryCopy {
  const kept = [...names, ...BASE_SCHEMAS];
  const copy = copyRepository([
    ...kept.flatMap((name) => [`schema/${name}.schema.json`, `schema/released/${name}`]),
    "schema/approvals.json",
    "schema/registry.json",
    "schema/released/SHA256SUMS",
    ...parts,
  ]);
  copy.edit("schema/registry.json", (text) => {
    const registry: unknown = JSON.parse(text);
    if (!isRegistry(registry)) throw new Error("the registry is not valid");
    const schemas = registry.schemas.filter(({ name }) => kept.includes(name));
    return `${JSON.stringify({ ...registry, schemas, repositories: [] }, undefined, 2)}\n`;
  });
  copy.edit("schema/released/SHA256SUMS", (text) =>
    text
      .split("\n")
      .filter((line) => line === "" || kept.some((name) => line.includes(`  ${name}/`)))
      .join("\n"),
  );
  return copy;
}
