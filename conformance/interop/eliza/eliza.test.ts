import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type {
  Action,
  ActionResult,
  HandlerCallback,
  HandlerOptions,
  Memory,
  Plugin,
} from "@elizaos/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTempFolder } from "../../../src/base/files/temp.js";
import { findFaults } from "../../../src/base/testing/find-faults.js";
import { lengthHeuristic } from "../../../src/rollouts/eliza/index.js";
import { createAction, createAgent, pluginOf, type TestAgent } from "./testing/create-agent.js";
import { createCaptured } from "./testing/create-captured.js";

const TASK = "What is 2+2?";
const HASH = "52cb6b5e4a038af1";

/** Rewards, as the plugin once wrote them by default. */
const REWARDED = { format: "ppo", scorer: lengthHeuristic } as const;

/** Names of the recorded actions. */
function actionsOf(records: readonly object[]): unknown[] {
  return records.map((record) =>
    "tool_call_sequence" in record && Array.isArray(record.tool_call_sequence)
      ? (record.tool_call_sequence[0]?.data.toolName ?? "REPLY")
      : undefined,
  );
}

function expectValid(records: readonly object[], count: number): void {
  expect(records).toHaveLength(count);
  for (const record of records) expect(findFaults(record)).toEqual([]);
}

async function started(...plugins: readonly Plugin[]): Promise<TestAgent> {
  const agent = createAgent(plugins);
  await agent.start();
  return agent;
}

function replaceActions({ runtime }: TestAgent, replace: (action: Action) => Action): void {
  runtime.actions.splice(0, Infinity, ...runtime.actions.map(replace));
}

test("format ppo: an action gives a PPO record with call and result, and the user gets its reply", async () => {
  const { plugin, read } = createCaptured(REWARDED);
  const agent = await started(plugin, pluginOf(createAction("ADD", "four")));
  const heard = await agent.ask(TASK, { actions: ["ADD"] });
  expect(heard.map(({ text }) => text)).toEqual(["four"]);
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toEqual({
    prompt: TASK,
    completion: "four",
    reward: 0.8,
    tool_call_sequence: [
      {
        event: "tool_call",
        channel: "tool",
        data: { toolName: "ADD", args: {}, callId: "call_0" },
      },
      {
        event: "tool_result",
        channel: "tool",
        data: { callId: "call_0", toolName: "ADD", output: { success: true, text: "said four" } },
      },
    ],
    provenance: {
      source: "wasmagent-rollout",
      rollout_id: expect.stringMatching(new RegExp(`^${agent.runtime.agentId}-\\d{13}$`)),
      branch_index: 0,
      objective_score: 1,
      exported_at_ms: expect.any(Number),
      n_gram_hash: HASH,
    },
  });
  expect(plugin.stats()).toMatchObject({ captured: 1, unscored: 0, skipped: {} });
});

test("format ppo: a plain reply without an action gives a PPO record", async () => {
  const { plugin, read } = createCaptured(REWARDED);
  const agent = await started(plugin);
  const heard = await agent.ask(TASK, { text: "four" });
  expect(heard.map(({ text }) => text)).toEqual(["four"]);
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toMatchObject({
    prompt: TASK,
    completion: "four",
    reward: 0.8,
    tool_call_sequence: [],
    provenance: { objective_score: 1, n_gram_hash: HASH },
  });
});

test("each step of a multi-step answer gives a record, and the summary has all calls", async () => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin, pluginOf(createAction("ADD", "four")));
  const steps = ["ADD", "ADD"];
  // For the multi-step workflow: one decision per step, then the summary.
  agent.runtime.registerModel(
    "TEXT_LARGE",
    async () => {
      const action = steps.shift();
      if (action !== undefined)
        return `<response><thought>t</thought><action>${action}</action></response>`;
      return "<response><thought>t</thought><action></action><isFinish>true</isFinish><text>It is four.</text></response>";
    },
    "steps",
    100,
  );
  await agent.ask(TASK, {}, { useMultiStep: true });
  const records = await read();
  expectValid(records, 3);
  expect(records.map(({ final_answer }) => final_answer)).toEqual(["four", "four", "It is four."]);
  const [, , summary] = records;
  expect(summary).toMatchObject({
    tool_call_sequence: [
      { data: { callId: "call_0" } },
      { data: { callId: "call_0" } },
      { data: { callId: "call_1" } },
      { data: { callId: "call_1" } },
    ],
  });
});

const add = (): Action => createAction("ADD", "four");

test.each<[string, (plugin: Plugin) => Promise<TestAgent>]>([
  ["the plugin first", (plugin) => started(plugin, pluginOf(add()))],
  ["the plugin last", (plugin) => started(pluginOf(add()), plugin)],
  [
    "an action of a plugin with asynchronous init",
    (plugin) =>
      started({ ...pluginOf(add()), init: () => new Promise((end) => setImmediate(end)) }, plugin),
  ],
  [
    "an action registered before the start",
    async (plugin) => {
      const agent = createAgent([plugin]);
      agent.runtime.registerAction(add());
      await agent.start();
      return agent;
    },
  ],
  [
    "an action pushed before the start",
    async (plugin) => {
      const agent = createAgent([plugin]);
      agent.runtime.actions.push(add());
      await agent.start();
      return agent;
    },
  ],
  [
    "an action registered after the start",
    async (plugin) => {
      const agent = await started(plugin);
      agent.runtime.registerAction(add());
      return agent;
    },
  ],
  [
    "an action pushed after the start",
    async (plugin) => {
      const agent = await started(plugin);
      agent.runtime.actions.push(add());
      return agent;
    },
  ],
  [
    "the plugin registered after the start",
    async (plugin) => {
      const agent = await started(pluginOf(add()));
      await agent.runtime.registerPlugin(plugin);
      return agent;
    },
  ],
  [
    "all actions replaced by copies",
    async (plugin) => {
      const agent = await started(plugin, pluginOf(add()));
      replaceActions(agent, (action) => ({ ...action }));
      return agent;
    },
  ],
  [
    "init with an object",
    async (plugin) => {
      const agent = await started(pluginOf(add()));
      const init: unknown = Reflect.get(plugin, "init");
      await Reflect.apply(init as () => Promise<void>, plugin, [{ runtime: agent.runtime }]);
      return agent;
    },
  ],
  [
    "init twice",
    async (plugin) => {
      const agent = await started(plugin, pluginOf(add()));
      await plugin.init?.({}, agent.runtime);
      return agent;
    },
  ],
])("every run is recorded once: %s", async (_, start) => {
  const { plugin, read } = createCaptured();
  const agent = await start(plugin);
  await agent.ask(TASK, { actions: ["ADD"] });
  await agent.ask("Hello?", { text: "Hello." });
  const records = await read();
  expectValid(records, 2);
  expect(actionsOf(records)).toEqual(["ADD", "REPLY"]);
});

test("a second plugin does not record a runtime again", async () => {
  const [one, other] = [createCaptured(), createCaptured()];
  const agent = await started(one.plugin, pluginOf(add()));
  await other.plugin.init({}, agent.runtime);
  await agent.ask(TASK, { actions: ["ADD"] });
  expect(await one.read()).toHaveLength(1);
  expect(await other.read()).toHaveLength(0);
});

test("two runtimes with one plugin, and actions of both", async () => {
  const { plugin, read } = createCaptured();
  const shared = add();
  const agents = [await started(plugin, pluginOf(shared)), await started(plugin, pluginOf(shared))];
  for (const agent of agents) await agent.ask(TASK, { actions: ["ADD"] });
  for (const agent of agents) await agent.ask(TASK, { text: "four" });
  const records = await read();
  expectValid(records, 4);
  const ids = records.map(({ rollout_id }) => rollout_id);
  expect(new Set(ids).size).toBe(4);
  for (const [index, agent] of agents.entries()) {
    expect(ids.filter((id) => String(id).startsWith(agent.runtime.agentId))).toHaveLength(2);
    expect(agent.runtime.actions[0]?.name, `${index}`).toBe("ADD");
  }
});

test("two runtimes with their own plugins record separately, even shared actions and services", async () => {
  const [one, other] = [createCaptured(), createCaptured()];
  const first = await started(one.plugin, pluginOf(add()));
  const second = await started(other.plugin);
  const [action] = first.runtime.actions;
  if (action !== undefined) second.runtime.registerAction(action);
  second.runtime.messageService = first.runtime.messageService;
  await second.ask(TASK, { actions: ["ADD"] });
  await second.ask(TASK, { text: "four" });
  expect(await one.read()).toEqual([]);
  expectValid(await other.read(), 2);
});

test("the plugin's own action is never changed", async () => {
  const { plugin } = createCaptured();
  const action = add();
  const before = { ...action };
  const agent = await started(plugin, pluginOf(action));
  await agent.ask(TASK, { actions: ["ADD"] });
  expect(action).toEqual(before);
  expect(action.handler).toBe(before.handler);
  expect({ ...agent.runtime.actions[0] }).toEqual({ ...before, handler: expect.any(Function) });
});

/** As many plugins do: state in private fields of the instance. */
class Counter {
  #runs = 0;
  readonly #name: string;
  constructor(name: string) {
    this.#name = name;
  }
  get name(): string {
    return this.#name;
  }
  get description(): string {
    return `Counts ${this.#runs}.`;
  }
  async validate(): Promise<boolean> {
    return this.#runs >= 0;
  }
  async handler(): Promise<ActionResult> {
    this.#runs += 1;
    return { success: true, text: `run ${this.#runs}` };
  }
  [key: string]: unknown;
}

test.each<[string, Action]>([
  ["an instance of a class", new Counter("COUNT")],
  ["a frozen instance", Object.freeze(new Counter("COUNT"))],
  ["a frozen object", Object.freeze(createAction("COUNT", "run 1"))],
  [
    "an object whose handler uses this",
    {
      ...createAction("COUNT", ""),
      runs: 0,
      async handler(this: { runs: number }) {
        this.runs += 1;
        return { success: true, text: `run ${this.runs}` };
      },
    },
  ],
])("%s keeps its `this`", async (_, action) => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin, pluginOf(action));
  const [registered] = agent.runtime.actions;
  expect(registered).toBeInstanceOf(Object.getPrototypeOf(action).constructor);
  expect(
    await registered?.validate(agent.runtime, {
      entityId: "a-b-c-d-e",
      roomId: "a-b-c-d-e",
      content: {},
    }),
  ).toBe(true);
  await agent.ask(TASK, { actions: ["COUNT"] });
  expect(agent.runtime.actions[0]?.description).toBe(action.description);
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toMatchObject({ final_answer: "run 1" });
});

test("all six arguments are passed, and the handler's result is returned", async () => {
  const { plugin } = createCaptured();
  const result = { success: true, values: { a: 1 } };
  const given: unknown[][] = [];
  const action = createAction("SPY", "", {
    handler: async (...args) => {
      given.push(args);
      return result;
    },
  });
  const agent = await started(plugin, pluginOf(action));
  const message = {
    entityId: agent.runtime.agentId,
    roomId: agent.runtime.agentId,
    content: { text: TASK },
  };
  const state = { values: {}, data: {}, text: "" };
  const options: HandlerOptions = { city: "Bern" };
  const callback: HandlerCallback = async (content) => [{ ...message, content }];
  const responses = [message];
  const args = [agent.runtime, message, state, options, callback, responses] as const;
  const returned = await agent.runtime.actions[0]?.handler(...args);
  expect(returned).toBe(result);
  expect(given[0]).toHaveLength(6);
  for (const position of [0, 1, 2, 3]) expect(given[0]?.[position]).toBe(args[position]);
  expect(given[0]?.[5]).toBe(args[5]);
  const forwarded = given[0]?.[4];
  expect(typeof forwarded === "function" && (await forwarded({ text: "hi" }))).toEqual([
    { ...message, content: { text: "hi" } },
  ]);
});

test("an action that throws is recorded, and its error is rethrown", async () => {
  const { plugin, read } = createCaptured();
  const error = new Error("the server is down");
  const agent = await started(
    plugin,
    pluginOf(createAction("FAIL", "", { handler: () => Promise.reject(error) })),
  );
  await expect(agent.ask(TASK, { actions: ["FAIL"] })).rejects.toBe(error);
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toMatchObject({
    final_answer: "",
    objective_status: "fail",
    tool_call_sequence: [{}, { data: { error: { message: "the server is down" } } }],
  });
});

test("an unavailable model gives a record of a failed reply, and the agent gets the error", async () => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin);
  const outage = new Error("no model");
  await expect(agent.ask(TASK, outage)).rejects.toBe(outage);
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toMatchObject({
    final_answer: "",
    objective_status: "fail",
  });
});

/** As a governance layer does: a new action around the old one. */
function govern(action: Action, isAllowed: () => boolean, refuse: () => ActionResult): Action {
  return {
    ...action,
    handler: async (...args) => (isAllowed() ? action.handler(...args) : refuse()),
  };
}

test.each<[string, () => ActionResult, object]>([
  [
    "by its result",
    () => ({ success: false, error: "host not allowed" }),
    { data: { error: "host not allowed", output: { success: false } } },
  ],
  [
    "by throwing",
    () => {
      throw new Error("host not allowed");
    },
    { data: { error: { message: "host not allowed" } } },
  ],
])(
  "a governed action is recorded outside its governance, which refuses %s",
  async (_, refuse, event) => {
    const { plugin, read } = createCaptured();
    let allowed = true;
    const agent = await started(plugin, pluginOf(govern(add(), () => allowed, refuse)));
    await agent.ask(TASK, { actions: ["ADD"] });
    allowed = false;
    await agent.ask(TASK, { actions: ["ADD"] }).catch(() => {});
    const records = await read();
    expectValid(records, 2);
    expect(records[0]).toMatchObject({ final_answer: "four", objective_status: "pass" });
    expect(records[1]).toMatchObject({
      final_answer: "",
      objective_status: "fail",
      tool_call_sequence: [{}, event],
    });
  },
);

test("governance that wraps an instrumented action is recorded once, from outside", async () => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin, pluginOf(add()));
  const refuse = (): ActionResult => ({ success: false, error: "refused" });
  let allowed = true;
  replaceActions(agent, (action) => govern(action, () => allowed, refuse));
  await agent.ask(TASK, { actions: ["ADD"] });
  allowed = false;
  await agent.ask(TASK, { actions: ["ADD"] });
  // In place, as other layers do.
  const [action] = agent.runtime.actions;
  const inner = action?.handler;
  if (action !== undefined && inner !== undefined)
    action.handler = async (...args) => inner(...args);
  allowed = true;
  await agent.ask(TASK, { actions: ["ADD"] });
  const records = await read();
  expectValid(records, 3);
  expect(records.map(({ final_answer }) => final_answer)).toEqual(["four", "", "four"]);
});

test("includeActions selects what is recorded; REPLY means plain replies", async () => {
  for (const [names, expected] of [
    [["add"], ["ADD"]],
    [["REPLY"], ["REPLY"]],
    [["OTHER"], []],
  ] as const) {
    const { plugin, read } = createCaptured({ includeActions: names });
    const agent = await started(plugin, pluginOf(add(), createAction("SUB", "zero")));
    await agent.ask(TASK, { actions: ["ADD"] });
    await agent.ask(TASK, { actions: ["SUB"] });
    await agent.ask(TASK, { text: "four" });
    expect(actionsOf(await read())).toEqual(expected);
  }
});

test("messages without a task, or without a reply, are counted", async () => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin, pluginOf(add()));
  await agent.ask(undefined, { actions: ["ADD"] });
  await agent.ask("", { text: "four" });
  await agent.ask(TASK, { actions: ["IGNORE"] });
  await agent.ask(TASK, { actions: ["NOBODY_HAS_THIS"] });
  expect(await read()).toEqual([]);
  expect(plugin.stats()).toMatchObject({ captured: 0, skipped: { "empty-task": 2 } });
});

test("lone surrogates do not make a record invalid", async () => {
  const { plugin, read } = createCaptured();
  const agent = await started(plugin, pluginOf(createAction("ODD", "an \udc00 answer")));
  await agent.ask("a \ud800 task", { actions: ["ODD"] });
  const records = await read();
  expectValid(records, 1);
  expect(records[0]).toMatchObject({ task: "a \ufffd task", final_answer: "an \ufffd answer" });
});

test("the runtime's secrets are redacted", async () => {
  const { plugin, read } = createCaptured();
  const secret = "correct-horse-battery";
  const agent = createAgent([plugin, pluginOf(createAction("TELL", `It is ${secret}.`))], {
    settings: { secrets: { VAULT: secret } },
  });
  await agent.start();
  agent.runtime.setSetting("LATER", "set-later-and-secret", true);
  await agent.ask(`Is it ${secret} or set-later-and-secret?`, { actions: ["TELL"] });
  const records = await read();
  expectValid(records, 1);
  expect(JSON.stringify(records)).not.toMatch(/correct-horse|set-later/);
});

test("stopping the runtime waits until the records have arrived", async () => {
  const records: object[] = [];
  const { plugin } = createCaptured({
    sink: {
      async write(given) {
        await new Promise((end) => setTimeout(end, 20));
        records.push(...given);
      },
      async close() {},
    },
  });
  const agent = await started(plugin, pluginOf(add()));
  await agent.ask(TASK, { actions: ["ADD"] });
  await agent.runtime.stop();
  expect(records).toHaveLength(1);
});

test("10,000 actions and a blocked sink: memory stays bounded and the order is kept", async () => {
  const folder = createTempFolder();
  onTestFinished(folder.remove);
  const arrived: unknown[] = [];
  let release: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { plugin } = createCaptured({
    spoolDir: join(folder.path, "spool"),
    queueSize: 200,
    sink: {
      async write(records) {
        await isReleased;
        arrived.push(...records.map((record) => ("task" in record ? record.task : undefined)));
      },
      async close() {},
    },
  });
  const { runtime } = await started(plugin, pluginOf(add()));
  const act = async (text: string): Promise<void> => {
    const [message, response] = [{ text }, { actions: ["ADD"] }].map(
      (content): Memory => ({
        id: randomUUID(),
        entityId: runtime.agentId,
        roomId: runtime.agentId,
        content,
      }),
    );
    if (message === undefined || response === undefined) throw new TypeError("two are made");
    await runtime.processActions(message, [response], undefined, async () => []);
  };
  const tasks = Array.from({ length: 10_000 }, (_, number) => `task ${number}`);
  for (let from = 0; from < tasks.length; from += 100) {
    await Promise.all(tasks.slice(from, from + 100).map(act));
  }
  const patience = { timeout: 500_000 };
  await vi.waitFor(() => expect(plugin.stats().captured).toBe(10_000), patience);
  const { queued, spooled } = plugin.stats().delivery ?? {};
  expect(queued).toBeLessThanOrEqual(200);
  expect(spooled).toBeGreaterThan(9_000);
  release();
  await vi.waitFor(() => expect(plugin.stats().delivery?.state).toBe("idle"), patience);
  expect(arrived).toEqual(tasks);
  expect(plugin.stats()).toMatchObject({
    captured: 10_000,
    delivery: { delivered: 10_000, dropped: 0 },
  });
});
