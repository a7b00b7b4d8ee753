import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Action, type Character, ModelType } from "@elizaos/core";
import { expect, onTestFinished, test } from "vitest";
import { findFaults } from "../../../src/base/testing/find-faults.js";
import { createTestFolder, type TestFolder } from "../../../src/base/testing/run-in-folder.js";
import { createRolloutPlugin, type RolloutPlugin } from "../../../src/rollouts/eliza/index.js";
import { createAction, createAgent, pluginOf } from "./testing/create-agent.js";
import { createCaptured } from "./testing/create-captured.js";

const TASK = "What is 2+2?";
const SYSTEM = "You calculate. You are terse.";
const character: Partial<Character> = { system: SYSTEM };

const add = createAction("ADD", "four", {
  description: "Adds two numbers.",
  parameters: {
    a: { type: "number", description: "The first number.", required: true },
    b: { type: "number", description: "The second number." },
  },
});
/** `validate` refuses it, so elizaOS does not offer it. */
const pay = createAction("PAY", "paid", { validate: async () => false });

const EXPECTED = {
  messages: [{ role: "system", content: SYSTEM }],
  tools: [
    {
      type: "function",
      function: {
        name: "ADD",
        description: "Adds two numbers.",
        parameters: {
          type: "object",
          properties: {
            a: { type: "number", description: "The first number." },
            b: { type: "number", description: "The second number." },
          },
          required: ["a"],
        },
      },
    },
  ],
};

test.each<[string, Action["handler"] | undefined, string]>([
  ["an action", undefined, "ADD"],
  ["an action that throws", () => Promise.reject(new Error("down")), "ADD"],
  ["a plain reply", undefined, "REPLY"],
])("%s: a branch with the system prompt and the actions that elizaOS offered", async (...given) => {
  const [, handler, decision] = given;
  const { plugin, read } = createCaptured();
  const actions = [{ ...add, ...(handler && { handler }) }, pay];
  const agent = createAgent([plugin, pluginOf(...actions)], character);
  await agent.start();
  await agent.ask(TASK, { actions: [decision], text: "four" }).catch(() => {});
  const records = await read();
  expect(records).toMatchObject([{ task: TASK, context: EXPECTED }]);
  expect(records.flatMap((record) => findFaults(record, "RolloutBranch"))).toEqual([]);
});

test("the context is what the model was given, whatever happens after it was asked", async () => {
  const { plugin, read } = createCaptured();
  const seen: string[] = [];
  const agent = createAgent([plugin, pluginOf(add)], character);
  await agent.start();
  const { runtime } = agent;
  runtime.registerModel(
    ModelType.TEXT_LARGE,
    async (_, { prompt }) => {
      seen.push(prompt);
      runtime.character.system = "changed";
      runtime.registerAction(createAction("LATE", "late"));
      throw new Error("no model");
    },
    "failing",
    100,
  );
  await agent.ask(TASK, {}).catch(() => {});
  expect(seen[0]).toContain("- **ADD**: Adds two numbers.");
  expect(seen[0]).not.toContain("LATE");
  expect(await read()).toMatchObject([{ context: EXPECTED, objective_status: "fail" }]);
});

test("each step of a multi-step answer has the context of its own decision", async () => {
  const { plugin, read } = createCaptured();
  let asked = 0;
  const once = { ...add, validate: async () => asked === 0 };
  const agent = createAgent([plugin, pluginOf(once, createAction("LOOK", "seen"))], character);
  await agent.start();
  const steps = ["ADD", "LOOK"];
  agent.runtime.registerModel(
    ModelType.TEXT_LARGE,
    async () => {
      asked += 1;
      const action = steps.shift();
      if (action !== undefined)
        return `<response><thought>t</thought><action>${action}</action></response>`;
      return "<response><thought>t</thought><action></action><isFinish>true</isFinish><text>Done.</text></response>";
    },
    "steps",
    100,
  );
  await agent.ask(TASK, {}, { useMultiStep: true });
  const names = (await read()).map(({ context }) =>
    Array.from(Object(context).tools, (tool) => Object(tool).function.name),
  );
  expect(names).toEqual([["ADD", "LOOK"], ["LOOK"], ["LOOK"]]);
});

test("a secret in the character's system prompt does not reach the sink", async () => {
  const { plugin, read } = createCaptured();
  const secret = "correct-horse-battery";
  const agent = createAgent([plugin, pluginOf(add)], {
    system: `The vault opens with ${secret}.`,
    settings: { secrets: { VAULT: secret } },
  });
  await agent.start();
  await agent.ask(TASK, { actions: ["ADD"] });
  const records = await read();
  expect(JSON.stringify(records)).toContain("The vault opens with");
  expect(JSON.stringify(records)).not.toContain(secret);
});

/** A folder in which an agent has written its rollouts, with the default sink. */
function createProject(options: object): { plugin: RolloutPlugin; folder: TestFolder } {
  const folder = createTestFolder();
  onTestFinished(() => folder.remove());
  const dir = join(folder.path, "rollouts");
  const sink = { type: "file", dir } as const;
  const plugin = createRolloutPlugin({ sink, spoolDir: join(dir, ".spool"), ...options });
  return { plugin, folder };
}

function readLines(folder: TestFolder, path: string): Record<string, unknown>[] {
  const text = readFileSync(join(folder.path, path), "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line));
}

const RANK = ["rank", "--input", "rollouts/", "--output", "ranked.jsonl"];
const PPO = ["--output-ppo", "ppo.jsonl"];
const EXPORT = ["export", "--input", "ranked.jsonl", "--allow-missing-g3"];

test("rank and export read what the plugin writes without a scorer: a pair and rewards, with the context", async () => {
  const { plugin, folder } = createProject({ branches: 2 });
  let runs = 0;
  const flaky: Action = {
    ...add,
    async handler(...args) {
      runs += 1;
      return runs === 1 ? { success: false, text: "five" } : add.handler(...args);
    },
  };
  const agent = createAgent([plugin, pluginOf(flaky)], character);
  await agent.start();
  await agent.ask(TASK, { actions: ["ADD"] });
  await agent.runtime.stop();

  expect(await folder.run(RANK)).toMatchObject({ exitCode: 0, stdout: "" });
  expect(readLines(folder, "ranked.jsonl")).toMatchObject([
    { rank: 1, objective_score: 1, context: EXPECTED },
    { rank: 2, objective_score: 0, context: EXPECTED },
  ]);
  const exported = await folder.run([...EXPORT, "--output-dpo", "dpo.jsonl", ...PPO]);
  expect(exported.exitCode).toBe(0);
  // The model made the same call in both branches: trainers have no turns of it to compare.
  expect(exported.stderr).toContain("1 off-context");
  const rewards = readLines(folder, "ppo.jsonl");
  expect(rewards).toMatchObject([{ tools: EXPECTED.tools }, { tools: EXPECTED.tools }]);
  for (const line of rewards) expect(JSON.stringify(line)).toContain(SYSTEM);

  const wire = ["--target", "wire", "--output-dpo", "wire.jsonl"];
  expect(await folder.run([...EXPORT, ...wire])).toMatchObject({ exitCode: 0 });
  expect(readLines(folder, "wire.jsonl")).toMatchObject([{ chosen: "four", rejected: "five" }]);
});

test("with a scorer, trainers compare the answers of branches whose results are equal", async () => {
  const scorer = (answer: string): number => (answer === "four" ? 1 : 0);
  const { plugin, folder } = createProject({ branches: 2, scorer });
  const texts = ["five", "four"];
  const say: Action = {
    ...add,
    async handler(_runtime, _message, _state, _options, callback) {
      await callback?.({ text: texts.shift() ?? "" });
      return { success: true };
    },
  };
  const agent = createAgent([plugin, pluginOf(say)], character);
  await agent.start();
  const heard = await agent.ask(TASK, { actions: ["ADD"] });
  expect(heard.map(({ text }) => text)).toEqual(["four"]);
  await agent.runtime.stop();
  expect(await folder.run(RANK)).toMatchObject({ exitCode: 0, stdout: "" });
  const target = ["--target", "trl", "--output-dpo", "dpo.jsonl"];
  expect(await folder.run([...EXPORT, ...target])).toMatchObject({ exitCode: 0 });
  expect(readLines(folder, "dpo.jsonl")).toMatchObject([
    {
      prompt: [{ role: "system", content: SYSTEM }, { role: "user", content: TASK }, {}, {}],
      chosen: [{ role: "assistant", content: "four" }],
      rejected: [{ role: "assistant", content: "five" }],
    },
  ]);
});

test("rank names a branch that nobody judged, and writes the others with --skip-invalid", async () => {
  const { plugin, folder } = createProject({});
  const agent = createAgent([plugin, pluginOf(add)], character);
  await agent.start();
  await agent.ask(TASK, { actions: ["ADD"] });
  await agent.ask("Hello?", { text: "Hello." });
  await agent.runtime.stop();
  const refused = await folder.run(RANK);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toMatch(
    /jsonl:2:1 .*nothing says whether the branch passed: .*\(no-objective\)/,
  );
  expect(await folder.run([...RANK, "--skip-invalid"])).toMatchObject({ exitCode: 0 });
  expect(readLines(folder, "ranked.jsonl")).toMatchObject([{ task: TASK, objective_score: 1 }]);
  expect(await folder.run([...EXPORT, ...PPO])).toMatchObject({ exitCode: 0 });
});

test("with a scorer, rank reads replies too", async () => {
  const { plugin, folder } = createProject({ scorer: () => 0.5 });
  const agent = createAgent([plugin, pluginOf(add)], character);
  await agent.start();
  await agent.ask(TASK, { actions: ["ADD"] });
  await agent.ask("Hello?", { text: "Hello." });
  await agent.runtime.stop();
  expect(await folder.run(RANK)).toMatchObject({ exitCode: 0, stdout: "" });
  expect(readLines(folder, "ranked.jsonl")).toMatchObject([
    { task: TASK, judge_score: 5 },
    { task: "Hello?", judge_score: 5 },
  ]);
});
