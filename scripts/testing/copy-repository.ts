import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOME } from "../run-script.js";

/** What the maintainer's programs need of the repository. */
const PARTS = [
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
  /** Runs `scripts/<name>.ts` of the copy, in the copy. */
  run(name: string, ...args: string[]): { status: number | null; stdout: string; stderr: string };
  remove(): void;
}

/** Copies the repository, or only those of its `parts` that a test looks at. */
export function copyRepository(parts: readonly string[] = PARTS): RepositoryCopy {
  const root = mkdtempSync(join(tmpdir(), "rollout-wire-copy-"));
  for (const part of parts) cpSync(join(HOME, part), join(root, part), { recursive: true });
  for (const part of INSTALLED) symlinkSync(join(HOME, part), join(root, part));
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
