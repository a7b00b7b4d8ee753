import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));
const SKIP = ["--skip", "invalid"];
const EXPORT = ["export", "--target", "trl", "--allow-missing-g3", "--output-dpo"];

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const records = (name: string): Record<string, unknown>[] =>
  read(name)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));

/** Runs a command and returns its summary. */
async function run(...argv: readonly string[]): Promise<string> {
  const { exitCode, stderr } = await folder.run(argv);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.any(String)]);
  return stderr;
}

const row = (group: string, answer: string, reward: unknown): string =>
  `${JSON.stringify({
    ...{ group, reward },
    messages: [
      { role: "user", content: `Task ${group}.` },
      { role: "assistant", content: answer },
    ],
  })}\n`;

const MAP = ["--map", "messages=/messages,group=/group,reward=/reward", ...SKIP];
/** The branch that scores worst is lost: without it, the second worst is taken for the worst. */
const ROWS =
  row("a", "1", 1) +
  row("b", "1", 1) +
  row("a", "2", 0.6) +
  row("a", "3", "none") +
  row("b", "2", 0);

describe("a rollout that loses a branch when its rows are imported gives no pair", () => {
  test("in one command and in three steps, with the same bytes", async () => {
    folder.write("in.jsonl", ROWS);
    const summary = await run(...EXPORT, "one.jsonl", "in.jsonl", ...MAP);
    expect(summary).toContain("  incomplete         1 rollout lost 1 branch\n");
    expect(summary).toContain("  not paired         1 incomplete-rollout\n");
    await run("import", "in.jsonl", ...MAP, "-o", "captured.jsonl");
    expect(records("captured.jsonl").map((each) => each.lost_branches)).toEqual([
      1,
      undefined,
      1,
      undefined,
    ]);
    await run("validate", "captured.jsonl");
    await run(...EXPORT, "two.jsonl", "captured.jsonl");
    await run("rank", "--input", "captured.jsonl", "--output", "ranked.jsonl");
    expect(await run(...EXPORT, "three.jsonl", "ranked.jsonl")).toContain("1 incomplete-rollout");
    expect(records("one.jsonl")).toMatchObject([{ provenance: { rollout_id: "b" } }]);
    expect([read("two.jsonl"), read("three.jsonl")]).toEqual([
      read("one.jsonl"),
      read("one.jsonl"),
    ]);
  });

  test("--rank-again ranks what is left", async () => {
    folder.write("in.jsonl", ROWS);
    await run(...EXPORT, "dpo.jsonl", "in.jsonl", ...MAP, "--rank-again");
    expect(records("dpo.jsonl")).toHaveLength(2);
  });

  test("also if nothing else of the row can be read, and if branches are longer than what is read at a time", async () => {
    const deep = row("a", "2", 1).replace("{", `{"x":${"[".repeat(9000)}${"]".repeat(9000)},`);
    const long = row("a", "3".repeat(3 * 2 ** 20), 0);
    folder.write("in.jsonl", row("a", "1", 1) + long + deep + row("b", "1", 1) + long);
    await run("import", "in.jsonl", ...MAP, "-o", "captured.jsonl");
    expect(records("captured.jsonl").map((each) => each.lost_branches)).toEqual([
      1,
      1,
      undefined,
      1,
    ]);
  });

  test.each([
    ["tinker/iteration_000003/train_rollout_summaries.jsonl", '"steps":', '"steps": 7, "x":'],
    ["atif/trajectories.jsonl", '"agent":', '"agent": 7, "x":'],
    ["messages/prime-rl.jsonl", '"reward":', '"reward": [], "x":'],
    ["messages/trl.jsonl", '"completion":', '"completion": 7, "x":'],
    ["forms/verifiers.jsonl", '"nodes":', '"nodes": 7, "x":'],
    ["forms/tau-bench.json", '"reward":', '"reward": [], "x":'],
    ["forms/inspect.json", '"value":', '"value": [], "x":'],
  ])("%s", async (file, from, to) => {
    const text = readFileSync(join(FIXTURES, file), "utf8");
    expect(text).toContain(from);
    folder.write("in.jsonl", text.replace(from, to));
    const summary = await run(
      "import",
      "in.jsonl",
      "--pass-value",
      "C",
      ...SKIP,
      "-o",
      "out.jsonl",
    );
    expect(summary).toContain("  incomplete         1 rollout lost 1 branch\n");
  });
});

test("a record of which no rollout is known is counted", async () => {
  folder.write("in.jsonl", `${row("a", "1", 1)}{\n${row("b", "1", {})}`);
  expect(await run("import", "in.jsonl", ...MAP, "-o", "out.jsonl")).toContain(
    "  incomplete         2 invalid records of no rollout that is known or left\n",
  );
  expect(read("out.jsonl")).not.toContain("lost_branches");
});

test("what rank skips is lost, too, beside what was lost before", async () => {
  folder.write("in.jsonl", ROWS.repeat(2));
  await run("import", "in.jsonl", ...MAP, "-o", "captured.jsonl");
  const [first = "", second = "", ...others] = read("captured.jsonl").split("\n");
  const spoilt = [first, second].map((line) => line.replace('"temperature":1', '"temperature":-1'));
  folder.write("captured.jsonl", [...spoilt, ...others].join("\n"));
  await run("rank", "--input", "captured.jsonl", "--output", "ranked.jsonl", ...SKIP);
  expect(records("ranked.jsonl").map((each) => [each.rollout_id, each.lost_branches])).toEqual([
    ...Array(3).fill(["a", 3]),
    ...Array(3).fill(["b", 1]),
  ]);
  expect(await run(...EXPORT, "dpo.jsonl", "ranked.jsonl")).toContain("2 incomplete-rollout");
});
