import { execFile } from "node:child_process";

/** The test results of the program, in the form that `buildPasses` reads. */
export interface TestReport {
  readonly status: "pass" | "fail" | "timeout";
  readonly checks: readonly { readonly name: string; readonly passed: boolean }[];
}

/** A repair may put the program into an endless loop. */
const TIMEOUT_MS = 30_000;

/** A TAP line for one test: `not ok 3 - several parts are added up`. */
const RESULT = /^(not )?ok \d+ - (.*)$/gm;

/** Runs a test file in its own process; a run without tests is a failure. */
export async function runTests(
  folder: string,
  file: string,
  signal: AbortSignal,
): Promise<TestReport> {
  // Without this process's own options, such as loaders or markers of a test runner.
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, ...env } = process.env;
  const options = { cwd: folder, env, signal, timeout: TIMEOUT_MS };
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, ["--test-reporter=tap", file], options, (error, stdout) => {
      const checks = [...stdout.matchAll(RESULT)].map(([, failed, name = ""]) => ({
        name,
        passed: failed === undefined,
      }));
      if (signal.aborted) reject(signal.reason);
      else if (error?.killed) resolve({ status: "timeout", checks });
      else resolve({ status: error === null && checks.length > 0 ? "pass" : "fail", checks });
    });
  });
}
