import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createTestFolder,
  type RunOptions,
  type Transcript,
} from "../../../../base/testing/run-in-folder.js";

/** A repository that a test makes, and in which it runs the program. */
export interface GitRepository {
  readonly path: string;
  /** Runs git, and returns what it prints. */
  git(...args: readonly string[]): string;
  /** Writes files, values as JSON, and removes those that are undefined. */
  write(files: Readonly<Record<string, unknown>>): void;
  /** The same, and commits everything. */
  commit(files: Readonly<Record<string, unknown>>): void;
  run(argv: readonly string[], options?: RunOptions): Promise<Transcript>;
  remove(): void;
}

export function createGitRepository(): GitRepository {
  const { path, run, remove } = createTestFolder();
  const git = (...args: readonly string[]): string => {
    const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    return execFileSync("git", [...who, ...args], { cwd: path, encoding: "utf8", stdio: "pipe" });
  };
  const write = (files: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(files)) {
      const file = join(path, name);
      if (value === undefined) {
        rmSync(file);
        continue;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value, null, 2));
    }
  };
  git("init", "--quiet", "--initial-branch", "main");
  return {
    ...{ path, run, remove, git, write },
    commit(files) {
      write(files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "change");
    },
  };
}
