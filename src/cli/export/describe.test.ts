import { afterEach, beforeEach, expect, test } from "vitest";
import { toJsonl } from "../../base/json/print.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("eval.txt", "What is 2+2?\n");
});
afterEach(() => folder.remove());

const argv = ["export", "--input", "in.jsonl", "--eval-items", "eval.txt"];
const clean = createBranch({ rollout_id: "clean", task: "What is a prime number?" });
const dirty = createBranch();

test("an omitted contaminated rollout is reported as such, not as a warning about the input", async () => {
  folder.write("in.jsonl", toJsonl([dirty, clean]));
  const { exitCode, stderr } = await folder.run([...argv, "--drop-contaminated"]);
  expect(exitCode).toBe(EXIT.ok);
  expect(stderr).toContain("2 branches, 2 rollouts, 0 errors, 0 warnings\n");
  expect(stderr).toContain("n = 8: 1 rollout contaminated, skipped\n");
  expect(stderr).toContain("ppo.jsonl  1 record\n");
});

test("at most --max-warnings contaminated rollouts are omitted", async () => {
  folder.write("in.jsonl", toJsonl([dirty, clean]));
  const limits = ["--drop-contaminated", "--max-warnings", "0"];
  const { exitCode, stderr } = await folder.run([...argv, ...limits]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stderr).toContain("0 errors, 0 warnings\n");
  expect(stderr).toContain("n = 8: 1 rollout contaminated\n");
  expect(stderr).toContain("nothing written");
});

test("rollouts are not reported while any line is invalid", async () => {
  for (const text of [`${toJsonl([dirty])}NaN\n`, `NaN\n${toJsonl([dirty])}`]) {
    folder.write("in.jsonl", text);
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.findings);
    expect(stderr).toBe(
      "  validate           1 branch, 1 invalid record, 1 error, 0 warnings\n" +
        "  export             nothing written: fix the errors first\n",
    );
  }
});
