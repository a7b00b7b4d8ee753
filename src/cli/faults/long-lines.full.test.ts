import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RolloutBranchRecord } from "#generated/index.js";
import { isNightly } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { runProgram } from "../../base/testing/run-program.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("dpo.jsonl", "former dpo");
  folder.write("ppo.jsonl", "former ppo");
});
afterEach(() => {
  // Whatever the result, no other files remain beside the outputs.
  expect(readdirSync(folder.path).filter((name) => name.startsWith("."))).toEqual([]);
  folder.remove();
});

const line = (fields: Partial<RolloutBranchRecord>) => JSON.stringify(createBranch(fields));
const a0 = line({ rollout_id: "a" });
const a1 = line({ rollout_id: "a", branch_index: 1, rank: 2, total_score: 0, final_answer: "5" });

function read(name: string): string {
  return readFileSync(join(folder.path, name), "utf8");
}

describe("lines of 200 MB", () => {
  const long = 200_000_000;
  const last = (text: string) => text.slice(text.lastIndexOf("\n", text.length - 2) + 1);

  test("are exported if they are valid", async () => {
    folder.write("in", `${a0.replace("four", "4".repeat(long))}\n${a1}\n`);
    const argv = ["export", "--allow-missing-g3", "--target", "wire", "--input", "in"];
    const { exitCode, stderr } = await runProgram(argv, { cwd: folder.path });
    expect([exitCode, stderr]).toEqual([EXIT.ok, expect.stringContaining("1 rollout, 0 errors")]);
    expect(last(readFileSync(join(folder.path, "ppo.jsonl"), "latin1").slice(-2000))).toContain(
      '"completion":"5"',
    );
    expect(readFileSync(join(folder.path, "dpo.jsonl")).length).toBeGreaterThan(long);
  });

  test.runIf(isNightly)("are reported or kept if they are not JSON", async () => {
    const bad = `{"a": "${"x".repeat(long)}`;
    folder.write("in", `${a0}\n${bad}\n`);
    const argv = ["export", "--allow-missing-g3", "--input", "in"];
    const refused = await runProgram(argv, { cwd: folder.path });
    expect(refused).toMatchObject({
      exitCode: EXIT.findings,
      stdout: `in:2:${bad.length + 1}  (line)  not JSON: unexpected end of input  (json)\n`,
    });
    expect([read("dpo.jsonl"), read("ppo.jsonl")]).toEqual(["former dpo", "former ppo"]);
    const keep = [...argv, "--skip-invalid", "--rejects", "rejects"];
    expect((await runProgram(keep, { cwd: folder.path })).exitCode).toBe(EXIT.ok);
    const reject: unknown = JSON.parse(read("rejects"));
    expect(reject).toMatchObject({ line: 2 });
    expect(
      Object.entries(reject ?? {}).some(([key, value]) => key === "text" && value === bad),
    ).toBe(true);
  });
});
