import { copyFile, cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Recorder } from "../../src/rollouts/capture/index.js";
import { runTests, type TestReport } from "./run-tests.js";

const PROGRAM = fileURLToPath(new URL("program", import.meta.url));
const SOURCE = "parse-duration.mjs";
const TESTS = "parse-duration.test.mjs";

/** The tools of an agent; every call is recorded. */
export interface Workshop {
  /** Reads the program. */
  readonly readProgram: () => Promise<string>;
  /** Replaces a piece of the program; fails if it is not there. */
  readonly editProgram: (before: string, after: string) => Promise<string>;
  /** Runs the tests, which the agent may have changed. */
  readonly runTests: () => Promise<TestReport>;
  /** Not a tool: runs the original tests, whatever the agent did to its copy. */
  readonly verify: () => Promise<TestReport>;
}

/** Puts a copy of the broken program into a folder, and returns the tools to work on it. */
export async function openWorkshop(
  folder: string,
  recorder: Recorder,
  signal: AbortSignal,
): Promise<Workshop> {
  await cp(PROGRAM, folder, { recursive: true });
  const source = join(folder, SOURCE);

  /** Records a call and its result. */
  async function use<Output>(toolName: string, args: object, work: () => Promise<Output>) {
    const callId = recorder.toolCall({ toolName, args });
    try {
      const output = await work();
      recorder.toolResult({ callId, toolName, output });
      return output;
    } catch (error) {
      recorder.toolResult({ callId, toolName, error });
      throw error;
    }
  }

  return {
    readProgram: () => use("read_file", { path: SOURCE }, () => readFile(source, "utf8")),
    editProgram: (before, after) =>
      use("edit_file", { path: SOURCE, before, after }, async () => {
        const text = await readFile(source, "utf8");
        if (!text.includes(before))
          throw new Error(`${SOURCE} does not contain the text to replace`);
        await writeFile(
          source,
          text.replace(before, () => after),
        );
        return "edited";
      }),
    runTests: () => use("run_tests", { path: TESTS }, () => runTests(folder, TESTS, signal)),
    verify: async () => {
      await copyFile(join(PROGRAM, TESTS), join(folder, TESTS));
      return await runTests(folder, TESTS, signal);
    },
  };
}
