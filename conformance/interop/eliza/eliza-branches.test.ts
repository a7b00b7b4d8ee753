import { randomUUID } from "node:crypto";
import { type Action, ModelType, type Plugin } from "@elizaos/core";
import { expect, test } from "vitest";
import { findFaults } from "../../../src/base/testing/find-faults.js";
import { lengthHeuristic } from "../../../src/rollouts/eliza/index.js";
import { createAction, createAgent, pluginOf, type TestAgent } from "./testing/create-agent.js";
import { createCaptured } from "./testing/create-captured.js";

const TASK = "Write a sort function";

/** The results of the branches of an action, in the order of the runs. */
function scripted(...runs: readonly Action["handler"][]): Action {
  let next = 0;
  return createAction("SORT", "", {
    async handler(...args) {
      const run = runs[next % runs.length];
      next += 1;
      return run?.(...args);
    },
  });
}

function says(...texts: readonly string[]): Action["handler"] {
  return async (_runtime, _message, _state, _options, callback) => {
    for (const text of texts) await callback?.({ text });
    return { success: true, text: `said ${texts.at(-1)}` };
  };
}

const crashes: Action["handler"] = () => Promise.reject(new Error("crashed"));

function expectValid(records: readonly object[]): void {
  for (const record of records) expect(findFaults(record)).toEqual([]);
}

async function started(...plugins: readonly Plugin[]): Promise<TestAgent> {
  const agent = createAgent(plugins);
  await agent.start();
  return agent;
}

test("three branches: a pair, three rewards, and the user gets the best one, once and in order", async () => {
  const { plugin, read } = createCaptured({
    branches: 3,
    format: "both",
    scorer: lengthHeuristic,
  });
  const action = scripted(says("short"), says("a longer", "answer"), crashes);
  const agent = await started(plugin, pluginOf(action));
  const heard = await agent.ask(TASK, { actions: ["SORT"] });
  expect(heard.map(({ text }) => text)).toEqual(["a longer", "answer"]);
  const records = await read();
  expectValid(records);
  expect(records).toMatchObject([
    {
      prompt: TASK,
      chosen: "a longer\nanswer",
      rejected: "",
      tool_call_sequence: [{ event: "tool_call" }, { event: "tool_result" }],
      provenance: {
        chosen_branch: 1,
        rejected_branch: 2,
        objective_score: { chosen: 1, rejected: 0 },
      },
    },
    { completion: "short", provenance: { branch_index: 0, objective_score: 1 } },
    { completion: "a longer\nanswer", provenance: { branch_index: 1, objective_score: 1 } },
    { completion: "", reward: 0, provenance: { branch_index: 2, objective_score: 0 } },
  ]);
  const ids = records.map(({ provenance }) => Reflect.get(Object(provenance), "rollout_id"));
  expect(new Set(ids).size).toBe(1);
  expect(plugin.stats()).toMatchObject({ captured: 3, skipped: {} });
});

test("the chosen branch's callbacks run, and then its result is returned", async () => {
  const { plugin } = createCaptured({ branches: 2, scorer: lengthHeuristic });
  const results = [
    { success: true, text: "a" },
    { success: true, text: "the better one" },
  ];
  const action = scripted(...results.map((result) => async () => result));
  const agent = await started(plugin, pluginOf(action));
  const message = { entityId: randomUUID(), roomId: randomUUID(), content: { text: TASK } };
  const returned = await agent.runtime.actions[0]?.handler(agent.runtime, message);
  expect(returned).toBe(results[1]);
});

test("if all branches fail, one error is thrown, unless a branch returned a failure", async () => {
  const error = new Error("all have failed");
  const one = createCaptured({ branches: 2, format: "both", scorer: lengthHeuristic });
  const agent = await started(one.plugin, pluginOf(scripted(() => Promise.reject(error))));
  await expect(agent.ask(TASK, { actions: ["SORT"] })).rejects.toBe(error);
  const records = await one.read();
  expectValid(records);
  expect(records).toHaveLength(2);
  expect(one.plugin.stats().skipped).toEqual({ "no-preference": 1 });

  const refusal = { success: false, error: "refused" };
  const other = createCaptured({ branches: 2 });
  const refused = await started(other.plugin, pluginOf(scripted(crashes, async () => refusal)));
  await refused.ask(TASK, { actions: ["SORT"] });
});

test("identical answers give no pair, and are counted", async () => {
  const { plugin, read } = createCaptured({ branches: 2, format: "dpo" });
  const agent = await started(plugin, pluginOf(scripted(says("same"))));
  await agent.ask(TASK, { actions: ["SORT"] });
  expect(await read()).toEqual([]);
  expect(plugin.stats()).toMatchObject({ captured: 2, skipped: { "no-preference": 1 } });
});

test("branches do not see each other's changes, and neither does the runtime", async () => {
  const { plugin } = createCaptured({ branches: 3 });
  const seen: unknown[] = [];
  const action = createAction("SORT", "", {
    async handler(runtime, message, state, options, callback, responses) {
      seen.push([message.content.seen, state?.values.seen, options?.seen, responses?.length]);
      expect(runtime).toBe(agent.runtime);
      message.content.seen = true;
      if (state !== undefined) state.values.seen = true;
      if (options !== undefined) options.seen = true;
      responses?.push(message);
      const content = { text: "as it was" };
      await callback?.(content);
      content.text = "changed later";
      return { success: true };
    },
  });
  const agent = await started(plugin, pluginOf(action));
  const heard = await agent.ask(TASK, { actions: ["SORT"] });
  expect(seen).toEqual(Array(3).fill([undefined, undefined, undefined, 1]));
  expect(heard.map(({ text }) => text)).toEqual(["as it was"]);
});

test("only the chosen branch streams to the user", async () => {
  const { plugin } = createCaptured({ branches: 2, scorer: lengthHeuristic });
  const texts = ["one", "one two"];
  let next = 0;
  const action = createAction("SORT", "", {
    async handler(runtime, _message, _state, _options, callback) {
      const text = texts[next] ?? "";
      next += 1;
      const prompt = text;
      await callback?.({ text: await runtime.useModel(ModelType.TEXT_LARGE, { prompt }) });
      return { success: true };
    },
  });
  const agent = await started(plugin, pluginOf(action));
  agent.runtime.registerModel(
    ModelType.TEXT_LARGE,
    async (_, { prompt, stream }) => {
      if (!texts.includes(String(prompt))) {
        return "<response><thought>t</thought><actions>SORT</actions><text></text></response>";
      }
      if (!stream) return prompt;
      async function* chunks(): AsyncGenerator<string> {
        for (const word of String(prompt).split(" ")) {
          await Promise.resolve();
          yield `${word} `;
        }
      }
      return {
        textStream: chunks(),
        text: Promise.resolve(prompt),
        usage: Promise.resolve(undefined),
        finishReason: Promise.resolve("stop"),
      };
    },
    "streaming",
    100,
  );
  const streamed: string[] = [];
  const onStreamChunk = async (chunk: string): Promise<void> => {
    streamed.push(chunk);
  };
  await agent.ask(TASK, {}, { onStreamChunk });
  expect(streamed.join("")).toContain("two");
  expect(streamed.join("").match(/one/g)).toHaveLength(1);
});

test("branchable selects the actions that are branched, and the others run once", async () => {
  const { plugin, read } = createCaptured({ branches: 3, branchable: ["SORT"] });
  let paid = 0;
  const pay = createAction("PAY", "", {
    handler: async () => {
      paid += 1;
      return { success: true, text: "paid" };
    },
  });
  const agent = await started(plugin, pluginOf(scripted(says("sorted")), pay));
  await agent.ask(TASK, { actions: ["SORT", "PAY"] });
  expect(paid).toBe(1);
  expect(await read()).toHaveLength(4);
});

test("actions that a branch calls run once per branch", async () => {
  const { plugin, read } = createCaptured({ branches: 2 });
  let runs = 0;
  const inner = createAction("INNER", "", {
    handler: async () => {
      runs += 1;
      return { success: true, text: "inner" };
    },
  });
  const outer = createAction("OUTER", "", {
    handler: async (runtime, ...rest) =>
      runtime.actions.find(({ name }) => name === "INNER")?.handler(runtime, ...rest),
  });
  const agent = await started(plugin, pluginOf(inner, outer));
  await agent.ask(TASK, { actions: ["OUTER"] });
  expect(runs).toBe(2);
  expectValid(await read());
  expect(await read()).toHaveLength(4);
});

test("one message at start names the actions that run several times", async () => {
  const { plugin } = createCaptured({ branches: 3, branchable: (name) => name !== "PAY" });
  const said: unknown[] = [];
  const agent = createAgent([
    plugin,
    pluginOf(scripted(says("a")), createAction("PAY", ""), createAction("LOOK", "b")),
  ]);
  const { warn } = agent.runtime.logger;
  agent.runtime.logger.warn = (...args: Parameters<typeof warn>) => {
    said.push(...args.filter((each) => String(each).startsWith("rollout-wire")));
  };
  await agent.start();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/branches is 3: .*side effects: SORT, LOOK\./);
  agent.runtime.registerAction(createAction("LATE", "c"));
  await agent.ask(TASK, { actions: ["SORT"] });
  await agent.ask(TASK, { actions: ["SORT"] });
  expect(said).toHaveLength(2);
  expect(said[1]).toMatch(/side effects: LATE\./);
});

test("a scorer selects the branch for the user; if it fails, the user still gets one", async () => {
  const one = createCaptured({
    branches: 2,
    format: "both",
    scorer: async (answer, task) => (task === TASK && answer === "b" ? 1 : 0.5),
  });
  const agent = await started(one.plugin, pluginOf(scripted(says("a long one"), says("b"))));
  const heard = await agent.ask(TASK, { actions: ["SORT"] });
  expect(heard.map(({ text }) => text)).toEqual(["b"]);
  expect((await one.read())[0]).toMatchObject({ chosen: "b", rejected: "a long one" });

  const other = createCaptured({
    branches: 2,
    format: "both",
    scorer: () => {
      throw new Error("no scorer");
    },
  });
  const unscored = await started(other.plugin, pluginOf(scripted(crashes, says("b"))));
  await unscored.ask(TASK, { actions: ["SORT"] });
  const records = await other.read();
  expectValid(records);
  expect(records).toMatchObject([
    { chosen: "b", rejected: "" },
    { branch_index: 0, objective_status: "fail", final_answer: "" },
    { branch_index: 1, objective_status: "pass", final_answer: "b" },
  ]);
  expect(other.plugin.stats().unscored).toBe(2);
});
