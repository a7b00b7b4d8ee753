import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isRegistry, type RegisteredSchema } from "#generated/index.js";
import { isWire } from "../../contract/schemas/registry-file.js";
import { CONFIG_FILE, packageRoot } from "../package.js";

/** Everything that the maintainers' programs need from the repository: about 2,800 files. */
export const ALL_PARTS: readonly string[] = [
  "CHANGELOG.md",
  "LICENSE",
  "conformance",
  "fixtures",
  "generated",
  "integrations/python",
  "package-lock.json",
  "package.json",
  "requirements-dev.txt",
  "rollout-wire.config.json",
  "schema",
  "scripts",
  "src",
  "tsconfig.build.json",
  "tsconfig.json",
  "tsconfig.pages.json",
];

/** Installed packages, which are too large to copy. */
const INSTALLED = ["node_modules", ".venv"];

/** A copy of the repository that a test may modify. */
export interface RepositoryCopy {
  readonly root: string;
  /** Edits the text of a file; throws if nothing changes. */
  edit(path: string, change: (text: string) => string): void;
  /**
   * Runs `scripts/<name>.ts` of the copy in its own process, such as `cli`. It needs ALL_PARTS; `runInProcess` works on
   * any copy, and is faster.
   */
  run(name: string, ...args: string[]): { status: number | null; stdout: string; stderr: string };
  remove(): void;
}

/** Copies the given files and folders of the repository. */
export function copyRepository(parts: readonly string[]): RepositoryCopy {
  const root = createFolder();
  // Packages of other projects are large, and another test may be installing them; compiled Python belongs to no copy.
  const filter = (path: string): boolean =>
    !["node_modules", "__pycache__"].includes(basename(path));
  for (const part of parts) {
    cpSync(join(packageRoot(), part), join(root, part), { recursive: true, filter });
  }
  for (const part of INSTALLED) symlinkSync(join(packageRoot(), part), join(root, part));
  return openCopy(root);
}

/** A copy of a copy, so that slow preparation is done only once. */
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

/** The schemas that code generation always needs: that of the registry, and those that it refers to. */
const BASE_SCHEMAS = ["export-report", "registry"];

/**
 * A small copy: the given schemas with their published versions, a registry with only these schemas, and the
 * given parts of the repository. Its code is not generated yet. Generating all schemas would take several
 * times as long. A given schema of tier "tool" is a wire schema in the copy, published once.
 */
export function copySchemas(
  names: readonly string[],
  parts: readonly string[] = [],
): RepositoryCopy {
  const kept = [...names, ...BASE_SCHEMAS];
  const copy = copyRepository([
    ...kept.map((name) => `schema/${name}.schema.json`),
    // Those of tier "tool" have none.
    ...kept
      .map((name) => `schema/released/${name}`)
      .filter((folder) => existsSync(join(packageRoot(), folder))),
    "schema/approvals.json",
    "schema/registry.json",
    "schema/released/SHA256SUMS",
    CONFIG_FILE,
    ...parts,
  ]);
  copy.edit("schema/registry.json", (text) => {
    const registry: unknown = JSON.parse(text);
    if (!isRegistry(registry)) throw new Error("the registry is not valid");
    const schemas = registry.schemas
      .filter(({ name }) => kept.includes(name))
      .map((entry) => (names.includes(entry.name) ? publish(copy.root, entry) : entry));
    return `${JSON.stringify({ ...registry, schemas, artefacts: [] }, undefined, 2)}\n`;
  });
  copy.edit("schema/released/SHA256SUMS", (text) =>
    text
      .split("\n")
      .filter((line) => line === "" || kept.some((name) => line.includes(`  ${name}/`)))
      .join("\n"),
  );
  return copy;
}

function publish(root: string, entry: RegisteredSchema): RegisteredSchema {
  if (isWire(entry)) return entry;
  const file = `schema/released/${entry.name}/v1.schema.json`;
  mkdirSync(dirname(join(root, file)));
  cpSync(join(root, entry.file), join(root, file));
  return { ...entry, tier: "wire", released: [file] };
}
