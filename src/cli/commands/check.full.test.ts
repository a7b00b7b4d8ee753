import { afterAll, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { buildProgram } from "../../base/testing/build-program.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

test("--coverage-report prints the table and runs no check", async () => {
  const { exitCode, stdout, stderr } = await folder.run(["check", "--coverage-report"], {
    cwd: packageRoot(),
  });
  expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
  expect(stdout).toMatch(/^ {2}schema +keyword +places +loosened +tightened +equivalent\n/);
  expect(stdout).toMatch(/\n {2}rollout-wire +required +\d+ +(\d+) of \1 /);
  expect(stdout).toMatch(/\n {2}all +\d+ +(\d+) of \1 +(\d+) of \2 +\d+\n/);
});

test("the published program checks a given checkout", async () => {
  const argv = ["check", "--root", packageRoot(), "--only", "registry", "schema-lint"];
  const { main } = buildProgram();
  const { exitCode, stdout } = await runProgram(argv, { main, cwd: folder.path });
  expect(stdout).toMatch(/^ {2}registry .* ok\n {2}schema-lint .* ok\n$/);
  expect(exitCode).toBe(EXIT.ok);
});
