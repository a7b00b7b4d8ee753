import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleCases } from "../../base/testing/run-count.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { targets } from "../../rollouts/wire/export/targets/index.js";
import { type OutputKind, outputKinds } from "../../rollouts/wire/export/targets/target.js";

const FIXTURES = fileURLToPath(new URL("../../../fixtures/import/", import.meta.url));
/** Three trials of one task: two users begin in the same words, one in others. */
const USERS = join(FIXTURES, "forms/tau-users.json");
const ITEM = "one two three four five six seven eight nine";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  folder.write("eval.txt", `${ITEM}\n`);
});
afterEach(() => folder.remove());

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

/** A row with a reward. */
const row = (id: string, reward: unknown, text = "Add 1 and 2.", answer = "3") => ({
  ...{ id, reward, group: id.split("/")[0] },
  messages: [
    { role: "user", content: text },
    { role: "assistant", content: answer },
  ],
});

const toLines = (rows: readonly object[]): string =>
  rows.map((each) => `${JSON.stringify(each)}\n`).join("");

const pair = (id: string, text?: string) => [
  row(`${id}/0`, 1, text),
  row(`${id}/1`, 0, text, "four"),
];

const GATED = ["--eval-items", "eval.txt", "--exported-at-ms", "1"];

/** Exports, and returns what was written by name. */
async function exportTo(prefix: string, target: keyof typeof targets, ...argv: string[]) {
  const kinds: readonly OutputKind[] = outputKinds(targets[target]);
  const names = kinds.map((kind) => `${prefix}-${kind}`);
  const outputs = kinds.flatMap((kind, index) => [`--output-${kind}`, names[index] ?? ""]);
  const { exitCode, stderr } = await folder.run([
    ...["export", ...argv, "--target", target, ...GATED, ...outputs],
  ]);
  expect([exitCode, stderr]).toEqual([EXIT.ok, expect.any(String)]);
  return names.map(read);
}

const LOGS: readonly (readonly [file: string, ...options: string[]])[] = [
  ["messages/openhands.jsonl"],
  ["messages/prime-rl.jsonl"],
  ["forms/tau2.json"],
  ["forms/tau-users.json"],
  ["forms/harbor"],
  ["forms/array.json"],
  ["forms/inspect.json", "--pass-value", "C"],
  ["forms/claude-code.jsonl", "--assume-passed"],
];

const TARGETS = sampleCases(["trl", "trl-sft", "wire", "training"] as const, 2);

test.each(sampleCases(LOGS, 4))(
  "%s: one command writes the bytes of import, rank and export",
  async (file, ...options) => {
    const log = join(FIXTURES, file);
    await folder.run(["import", log, "--output", "captured.jsonl", ...options]);
    await folder.run(["rank", "--input", "captured.jsonl", "--output", "ranked.jsonl"]);
    for (const target of TARGETS) {
      const expected = await exportTo("three", target, "ranked.jsonl");
      // Flat records have no place for a task that is not a user's.
      if (log !== USERS || target !== "wire") expect(expected.join("")).not.toBe("");
      expect(await exportTo("one", target, log, ...options)).toEqual(expected);
      // How branches are ranked does not depend on the target.
      if (target !== "trl") continue;
      expect(await exportTo("two", target, "captured.jsonl")).toEqual(expected);
    }
  },
);

test("the summary has the counts of each step, and the report says how the branches came", async () => {
  folder.write("rows.jsonl", toLines([...pair("a"), ...pair("b")]));
  const { stderr } = await folder.run([
    "export",
    "rows.jsonl",
    ...GATED,
    "--report",
    "report.json",
  ]);
  const labels = stderr.split("\n").map((line) => line.slice(2, 20).trim());
  expect(labels.filter((label) => label !== "")).toEqual([
    ...["recognised", "read", "not read", "grouped", "import", "rank", "validate"],
    ...["decontamination", "export", "not paired"],
  ]);
  expect(stderr).toContain("  rank               4 branches, 2 rollouts\n");
  expect(JSON.parse(read("report.json"))).toMatchObject({
    lines: { read: 4, valid: 4, invalid: 0 },
    ranked: true,
    imported: { forms: { messages: 1 }, left_out: {} },
    inputs: [{ file: "rows.jsonl" }],
    rollouts: { exported: 2, exported_branches: 4 },
  });
});

test("findings of every step name the record in the log", async () => {
  folder.write("rows.jsonl", toLines([...pair("a"), ...pair("b", ITEM)]));
  const report = ["--report", "report.json"];
  const found = await folder.run(["export", "rows.jsonl", ...GATED, ...report]);
  expect(JSON.parse(read("report.json"))).toMatchObject({
    decontamination: { contaminated: [{ rollout_id: "b", file: "rows.jsonl", line: 3 }] },
  });
  expect(found.exitCode).toBe(EXIT.findings);
  expect(found.stdout).toMatch(/^rows\.jsonl:3:\d+ {2}\/messages\/0\/content {2}.*\(g3\)\n$/);
  folder.write("rows.jsonl", toLines([...pair("a"), row("b/0", undefined), row("b/1", 1)]));
  const failed = await folder.run(["export", "rows.jsonl", ...GATED]);
  expect(failed.exitCode).toBe(EXIT.findings);
  expect(failed.stdout).toMatch(/^rows\.jsonl:3:/);
  folder.write("rows.jsonl", toLines([row("b/0", undefined)]));
  const none = await folder.run(["export", "rows.jsonl", ...GATED]);
  expect(none.stderr).toContain("  decontamination    nothing was compared\n");
});

test("rejects are the records of the log", async () => {
  const rows = [...pair("a"), ...pair("b", ITEM), row("c/0", "high")];
  folder.write("rows.jsonl", toLines(rows));
  const skip = ["--skip", "invalid,contaminated", "--rejects", "rejects.jsonl"];
  const { exitCode } = await folder.run(["export", "rows.jsonl", ...GATED, ...skip]);
  expect(exitCode).toBe(EXIT.ok);
  const rejects = read("rejects.jsonl")
    .trimEnd()
    .split("\n")
    .map((line): { file: string; line: number; text: string } => JSON.parse(line));
  const kept = rejects.map(({ file, line, text }) => [file, line, JSON.parse(text)]);
  expect(kept.sort(([, one], [, two]) => Number(one) - Number(two))).toEqual(
    [3, 4, 5].map((line) => ["rows.jsonl", line, rows[line - 1]]),
  );
});

test("compressed logs are told", async () => {
  const text = toLines([...pair("a"), ...pair("b")]);
  folder.write("rows.jsonl.gz", gzipSync(text));
  folder.write("rows.jsonl", text);
  const expected = await exportTo("plain", "trl", "rows.jsonl");
  expect(await exportTo("gz", "trl", "rows.jsonl.gz")).toEqual(expected);
});

test("logs and branches in one export are refused, and so are options of logs for branches", async () => {
  folder.write("rows.jsonl", toLines(pair("a")));
  await folder.run(["import", "rows.jsonl", "--output", "captured.jsonl"]);
  const mixed = await folder.run(["export", "rows.jsonl", "captured.jsonl", ...GATED]);
  expect([mixed.exitCode, mixed.stderr]).toEqual([
    EXIT.usage,
    '"rows.jsonl" is a log, "captured.jsonl" has branches without ranks: export them one after the other\n',
  ]);
  const foreign = await folder.run(["export", "captured.jsonl", "--assume-passed", ...GATED]);
  expect([foreign.exitCode, foreign.stderr]).toEqual([
    EXIT.usage,
    "--assume-passed applies to logs; these files have branches\n",
  ]);
});

test("an error in the log writes nothing", async () => {
  folder.write("rows.jsonl", `${toLines(pair("a"))}{"messages": 7}\n`);
  const { exitCode, stdout, stderr } = await folder.run(["export", "rows.jsonl", ...GATED]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toMatch(/^rows\.jsonl:3:1 .*name their place by --map/);
  expect(stderr).toContain("nothing written: fix the errors first\n");
});

test("--explain shows a rollout of a log as the export builds it", async () => {
  folder.write("rows.jsonl", toLines(pair("a")));
  const { stdout } = await folder.run(["export", "rows.jsonl", "--explain", "a"]);
  expect(stdout).toContain('rollout "a": 2 valid branches, target trl\n');
  expect(stdout).toContain("Pair: branch 0 over branch 1");
});

describe("a rollout whose users begin differently", () => {
  const GIVEN = ["--allow-missing-g3", "--exported-at-ms", "1"];

  test("flat records are refused by name, because their prompt would be the system's", async () => {
    const argv = [
      "export",
      USERS,
      "--target",
      "wire",
      ...GIVEN,
      "--output-dpo",
      "d",
      "--output-ppo",
      "p",
    ];
    const { exitCode, stderr } = await folder.run(argv);
    expect(exitCode).toBe(EXIT.ok);
    expect([read("d"), read("p")]).toEqual(["", ""]);
    expect(stderr).toContain("  no record          1 turn-order\n");
    expect(stderr).toContain("  not paired         1 turn-order\n");
  });

  test("records of Layer 3 have each text in its role, and are valid", async () => {
    await folder.run([
      "export",
      USERS,
      "--target",
      "training",
      ...GIVEN,
      "--output-dpo",
      "d.jsonl",
      "--output-ppo",
      "p.jsonl",
    ]);
    const records = `${read("d.jsonl")}${read("p.jsonl")}`.trimEnd().split("\n");
    expect(records).toHaveLength(4);
    for (const record of records) {
      expect(JSON.parse(record).messages.slice(0, 2)).toMatchObject([
        { role: "system", loss_mask: 0 },
        { role: "user", loss_mask: 0 },
      ]);
    }
    const { exitCode, stderr } = await folder.run(["validate", "d.jsonl", "p.jsonl"]);
    expect([exitCode, stderr]).toEqual([
      EXIT.ok,
      expect.stringContaining("0 errors, 0 warnings in 4 records"),
    ]);
  });

  test("a pair of whole answers is refused if the users began differently", async () => {
    const [first, second] = JSON.parse(readFileSync(USERS, "utf8"));
    folder.write("two.json", JSON.stringify([first, second]));
    for (const target of ["training", "trl"]) {
      const argv = ["export", "two.json", "--target", target, ...GIVEN, "--output-dpo", "d"];
      expect((await folder.run(argv)).stderr).toContain(
        "  not paired         1 different-prompts\n",
      );
    }
    const explained = await folder.run([
      "export",
      "two.json",
      "--target",
      "trl",
      ...GIVEN,
      `--explain=${await idOf("two.json")}`,
    ]);
    expect(explained.stdout).toContain("The prompts differ first at /turns/0 (user): ");
  });

  test("trainers of completions get a prompt that ends where the model begins", async () => {
    await folder.run(["export", USERS, "--target", "trl", ...GIVEN, "--output-ppo", "p.jsonl"]);
    const records = read("p.jsonl")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records).toHaveLength(3);
    for (const { prompt, completion } of records) {
      expect(prompt).toMatchObject([{ role: "system" }, { role: "user" }]);
      expect(completion[0]).toMatchObject({ role: "assistant" });
    }
  });

  async function idOf(file: string): Promise<string> {
    await folder.run(["import", file, "--output", "ids.jsonl"]);
    return JSON.parse(read("ids.jsonl").split("\n")[0] ?? "").rollout_id;
  }
});
