import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isRolloutBranch, type RolloutBranch } from "#generated/index.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

/** Three trials of one task: two users begin in the same words, one in others. */
const USERS = fileURLToPath(
  new URL("../../../fixtures/import/forms/tau-users.json", import.meta.url),
);

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const say = (role: string, content: string): object => ({ role, content });

/** What a user says first, the agent answers, and the user says then. */
const talk = (first: string, ...more: object[]): object[] => [
  ...[say("user", first), say("assistant", "Which one?"), ...more],
];
const MORE = [say("user", "The red one."), say("assistant", "Done.")];

/** Imports files, and returns the branches with what was said of them. */
async function importAs(files: Readonly<Record<string, string>>, ...argv: string[]) {
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  const run = ["import", ...Object.keys(files), "--output", "out.jsonl", ...argv];
  const { exitCode, stdout, stderr } = await folder.run(run);
  expect([exitCode, stdout]).toEqual([EXIT.ok, ""]);
  const branches = read("out.jsonl")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  return { branches: branches.filter(isRolloutBranch), stderr };
}

const idsOf = (branches: readonly RolloutBranch[]): string[] =>
  branches.map(({ rollout_id: id }) => id);

const trial = (task_id: number, traj: object[], reward = 1): object => ({ task_id, traj, reward });
const simulation = (task_id: string, messages: object[]): object => ({
  ...{ task_id, messages, reward_info: { reward: 1 } },
});

describe("trials with simulated users", () => {
  test("of tau-bench are one rollout, whose task is the system prompt", async () => {
    const { branches, stderr } = await importAs({ "runs.json": readFileSync(USERS, "utf8") });
    expect(new Set(idsOf(branches)).size).toBe(1);
    expect(stderr).toContain("3 branches, 1 rollout\n");
    expect(stderr).toContain("  grouped            by /task_id\n");
    expect(stderr).toContain(
      "  task               of 1 rollout whose users begin differently: the first text that all branches share (system)\n",
    );
    for (const branch of branches) {
      expect(branch).toMatchObject({
        ...{ task: "# Policy\nRefunds take five days.", task_role: "system" },
        turns: [
          { role: "user" },
          { role: "assistant" },
          { role: "user", content: "Ann." },
          {},
          {},
          {},
          {},
        ],
      });
      expect(branch.context).toBeUndefined();
    }
  });

  test("of tau2 begin with the agent's greeting; two domains have tasks of one id and one greeting", async () => {
    const hello = say("assistant", "Hi! How can I help you today?");
    const fileOf = (ask: string): string =>
      JSON.stringify({
        tasks: [{ id: "0", scenario: ask }],
        simulations: ["Hello,", "Hey,"].map((word) =>
          simulation("0", [hello, ...talk(`${word} ${ask}`, ...MORE)]),
        ),
      });
    const files = { "airline.json": fileOf("fly me"), "retail.json": fileOf("sell me") };
    const { branches, stderr } = await importAs(files);
    const [one, two, three, four] = idsOf(branches);
    expect([one === two, three === four, one === three]).toEqual([true, true, false]);
    expect(branches[3]).toMatchObject({
      task: "Hi! How can I help you today?",
      task_role: "assistant",
    });
    expect(branches[3]?.turns?.[0]).toEqual({ role: "user", content: "Hey, sell me" });
    expect(stderr).toContain("of 2 rollouts whose users begin differently: ");
  });

  test("that share no text stay apart by how the user begins, which the summary says", async () => {
    const trials = ["Hello", "Hey", "Hello"].map((first) => trial(7, talk(first, ...MORE)));
    const bare = ["Hello", "Hey"].map((first) =>
      simulation("7", [say("assistant", "Hi!"), ...talk(first, ...MORE)]),
    );
    const { branches, stderr } = await importAs({ "runs.json": JSON.stringify(trials) });
    const [one, two, three] = idsOf(branches);
    expect([one === three, one === two]).toEqual([true, false]);
    expect(stderr).toContain("  grouped            by /task_id and the user's first message\n");
    expect(branches.every(({ task_role: role }) => role === undefined)).toBe(true);
    // Of simulations without their tasks nobody knows of which domain they are.
    expect(
      new Set(idsOf((await importAs({ "bare.json": JSON.stringify(bare) })).branches)).size,
    ).toBe(2);
  });

  test("that begin in the same words keep the user's task", async () => {
    const trials = [1, 0].map((reward) =>
      trial(7, [say("system", "Sell."), ...talk("Hello", ...MORE)], reward),
    );
    const { branches, stderr } = await importAs({ "runs.json": JSON.stringify(trials) });
    expect(branches.map(({ task, task_role: role }) => [task, role])).toEqual([
      ["Hello", undefined],
      ["Hello", undefined],
    ]);
    expect(stderr).not.toContain("  task ");
  });
});

describe("rows of one group", () => {
  const row = (example_id: number, first: string, completion: object[], system = "Sell."): string =>
    `${JSON.stringify({ example_id, prompt: [say("system", system), say("user", first)], completion, reward: 1 })}\n`;
  const answer = [say("assistant", "Which one?")];

  test("are one rollout wherever they are, if users talk with the agent", async () => {
    const files = {
      "1.jsonl": row(1, "Hello", [...answer, ...MORE]) + row(2, "Other", answer),
      "2.jsonl": row(1, "Hey", [...answer, ...MORE]),
    };
    const { branches, stderr } = await importAs(files);
    expect(idsOf(branches)).toEqual(["1", "2", "1"]);
    expect(branches.map(({ task, task_role: role = "user" }) => `${role}: ${task}`)).toEqual([
      ...["system: Sell.", "user: Other", "system: Sell."],
    ]);
    expect(stderr).toContain("  grouped            by /example_id\n");
  });

  test("and so are episodes, a line each", async () => {
    const episode = (first: string): string => {
      const nodes = [say("system", "Sell."), ...talk(first, ...MORE)].map((message) => ({
        message,
      }));
      const traces = [{ agent: { name: "seller", trainable: true }, nodes, rewards: { sold: 1 } }];
      return `${JSON.stringify({ env: {}, task: { key: "t" }, group: { id: "g" }, traces })}\n`;
    };
    const { branches } = await importAs({ "episodes.jsonl": episode("Hello") + episode("Hey") });
    expect(idsOf(branches)).toEqual(["g", "g"]);
    expect(branches.map(({ task }) => task)).toEqual(["Sell.", "Sell."]);
  });

  test.each([
    [
      "nobody speaks twice: they are different questions",
      row(1, "2+2?", answer) + row(1, "3+3?", answer),
    ],
    [
      "they share no text",
      row(1, "Hello", [...answer, ...MORE]) + row(1, "Hey", [...answer, ...MORE], "Buy."),
    ],
  ])("are no rollout if %s", async (_, lines) => {
    folder.write("rows.jsonl", lines);
    const { exitCode, stdout } = await folder.run([
      "import",
      "rows.jsonl",
      "--output",
      "out.jsonl",
    ]);
    expect(exitCode).toBe(EXIT.findings);
    expect(stdout).toMatch(/^rows\.jsonl:2:\d+ {2}\/prompt\/1\/content {2}a different task /);
    expect(stdout).toContain(
      "; users of one group may begin differently only if they speak again, ",
    );
    expect(stdout).toContain("(one-task-per-rollout)\n");
  });
});
