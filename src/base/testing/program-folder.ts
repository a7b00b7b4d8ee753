import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

/** A working folder for programs, with its own folder for temporary files. */
export interface ProgramFolder {
  /** Working folder of the programs. */
  readonly cwd: string;
  /** Environment of the programs. `TMPDIR` is a folder of their own. */
  readonly env: Readonly<Record<string, string>>;
  write(name: string, content: string | Uint8Array): void;
  read(name: string): string;
  /** Temporary files that remain beside the outputs or in `TMPDIR`. */
  leftovers(): string[];
  remove(): void;
}

export function createProgramFolder(): ProgramFolder {
  const path = mkdtempSync(join(tmpdir(), "rollout-wire-program-"));
  const [cwd, tmp] = [join(path, "work"), join(path, "tmp")];
  mkdirSync(cwd);
  mkdirSync(tmp);
  return {
    cwd,
    env: { TMPDIR: tmp },
    write: (name, content) => writeFileSync(join(cwd, name), content),
    read: (name) => readFileSync(join(cwd, name), "utf8"),
    leftovers: () => [
      ...readdirSync(cwd).filter((name) => name.startsWith(".")),
      // Node's cache of compiled code is no leftover.
      ...readdirSync(tmp).filter((name) => name !== "node-compile-cache"),
    ],
    remove: () => rmSync(path, { recursive: true }),
  };
}

/**
 * Lines of branches, enough for several blocks, so that worker threads are started. The branches of a rollout
 * are scattered or adjacent.
 */
export function manyBranches(order: "scattered" | "adjacent"): string {
  const [rollouts, branches] = [2500, 3];
  const lines = Array.from({ length: rollouts * branches }, (_, index) => {
    const [rollout, branch] =
      order === "scattered"
        ? [index % rollouts, Math.floor(index / rollouts)]
        : [Math.floor(index / branches), index % branches];
    return JSON.stringify(
      createBranch({
        rollout_id: `r-${rollout}`,
        task: `task ${rollout}`,
        branch_index: branch,
        rank: branch + 1,
        total_score: 1 - branch / 4,
        final_answer: `answer ${branch} of ${rollout} ${"x".repeat(300)}`,
      }),
    );
  });
  return `${lines.join("\n")}\n`;
}
