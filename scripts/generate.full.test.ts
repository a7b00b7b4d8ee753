import { expect, test } from "vitest";
import { run } from "./generate.js";
import { REPO_ROOT } from "./run-script.js";
import { runInProcess } from "./testing/run-in-process.js";

/** The check `generated-fresh` compares hashes only, if they are right. */
test("generate --check is green on this repository", async () => {
  const { status, stdout } = await runInProcess(run, ["--check"], { root: REPO_ROOT });
  expect(stdout).toMatch(
    /^generated code: \d+ files from \d+ schemas, and 2 lists of their hashes, fresh\n$/,
  );
  expect(status).toBe(0);
});
